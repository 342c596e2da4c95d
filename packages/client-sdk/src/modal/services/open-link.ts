import { isOpenableLink } from '@postern/protocol/validation/wallet-links'
import { requestFailure } from '../../shared/failures'
import { modalFailure } from '../failures'

/**
 * Opens a wallet link for the user.
 *
 * 1. A link that may not be opened is INVALID_PARAMS, whatever the host says.
 * 2. `app` with the wallet's own scheme navigates this page: the system opens the app and the page stays. A universal
 *    link (https) opens a new tab, because without the app it would replace the page.
 * 3. `tab` opens a new tab. An opened page gets neither opener nor referrer.
 * 4. A new tab needs a recent click; otherwise POPUP_BLOCKED.
 */
export function openLink(
  window: {
    readonly navigator: { readonly userActivation?: { readonly isActive: boolean } }
    open(url: string, target: string, features?: string): unknown
  },
  { url, target }: { url: string; target: 'app' | 'tab' },
): void {
  if (!isOpenableLink(url, target)) throw requestFailure('INVALID_PARAMS')
  if (!/^https?:/i.test(url)) {
    window.open(url, '_self')
    return
  }
  if (window.navigator.userActivation?.isActive === false) throw modalFailure('POPUP_BLOCKED')
  window.open(url, '_blank', 'noopener,noreferrer')
}
