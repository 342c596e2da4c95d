import { parseWalletLink } from '@postern/protocol'
import type { WalletRow } from '../../snapshot/contract'
import { isInstalled } from '../../view-kit/is-installed'
import { isWebLink, type Platform } from '../../view-kit/wallet-rows'

/**
 * How one wallet can be reached from here. `code`: its app on a phone reads the QR code. `app`: its app on this phone is opened. `desktop`: its
 * app on this computer. `web`: the wallet is a web page. `extension`: it is, or could be, in this browser.
 */
export type Way = 'code' | 'app' | 'desktop' | 'web' | 'extension'

/**
 * The ways of a wallet, the likeliest first.
 *
 * 1. On a phone its app and its web page; on a computer the code for its app, its desktop app, its web page, its extension.
 * 2. What is in this browser already comes first.
 * 3. Links that may not be followed are no way (spec §5).
 * 4. There is always one: with no link at all, the code, which any wallet app can read.
 */
export function waysTo(
  { entry, connectors }: Pick<WalletRow, 'entry' | 'connectors'>,
  platform: Platform,
): readonly Way[] {
  const installed = isInstalled({ connectors })
  const leads = (link: string | null | undefined) => typeof link === 'string' && parseWalletLink(link) !== null
  const onDesktop = platform === 'desktop'
  const ways: readonly (Way | false)[] = [
    installed && 'extension',
    leads(entry?.mobile_link) && (onDesktop ? 'code' : 'app'),
    onDesktop && leads(entry?.desktop_link) && 'desktop',
    leads(entry?.webapp_link) && 'web',
    onDesktop && !installed && isWebLink(entry?.chrome_store) && 'extension',
  ]
  const found = ways.filter((way) => way !== false)
  return found.some((way) => way !== 'extension') ? found : [...found, 'code']
}
