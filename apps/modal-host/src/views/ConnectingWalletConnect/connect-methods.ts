import { parseWalletLink } from '@postern/protocol'
import type { WalletRow } from '../../snapshot/contract'
import { isInstalled } from '../../snapshot/wallet-row'
import { isWebLink, type Platform } from '../../view-kit/wallets/wallet-rows'

/** `code`: a phone scans the QR code. `app`: on this phone. `extension`: in this browser, or installable. */
export type ConnectMethod = 'code' | 'app' | 'desktop' | 'web' | 'extension'

/**
 * Returns the methods to reach a wallet, the likeliest first.
 *
 * 1. On a phone: app, web page. On a computer: QR code, desktop app, web page, extension.
 * 2. A wallet already in this browser comes first.
 * 3. Links that may not be followed are ignored (spec §5).
 * 4. Without any link: the QR code, which every wallet app reads.
 */
export function connectMethods(
  { entry, connectors }: Pick<WalletRow, 'entry' | 'connectors'>,
  platform: Platform,
): readonly ConnectMethod[] {
  const installed = isInstalled({ connectors })
  const leads = (link: string | null | undefined) => typeof link === 'string' && parseWalletLink(link) !== null
  const onDesktop = platform === 'desktop'
  const methods: readonly (ConnectMethod | false)[] = [
    installed && 'extension',
    leads(entry?.mobile_link) && (onDesktop ? 'code' : 'app'),
    onDesktop && leads(entry?.desktop_link) && 'desktop',
    leads(entry?.webapp_link) && 'web',
    onDesktop && !installed && isWebLink(entry?.chrome_store) && 'extension',
  ]
  const found = methods.filter((method) => method !== false)
  return found.some((method) => method !== 'extension') ? found : [...found, 'code']
}
