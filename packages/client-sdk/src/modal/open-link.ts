import { requestFailure } from '../shared/failures'
import { modalFailure } from './failures'

/** Run code, read local data or start programs. `open-link.test.ts` checks it against the protocol. */
const refused =
  /^(web\+|ms-|search|ssh|smb|ldap|telnet)|^(about|blob|chrome|chrome-extension|content|data|file|filesystem|ftp|intent|jar|javascript|livescript|mailto|mocha|moz-extension|resource|shell|sms|tel|vbscript|view-source|wss?)$/

/** The protocol's rule: https, http of loopback, or the home or pairing of an app's own scheme. */
export function isOpenableLink(url: string, target: 'app' | 'tab' = 'app'): boolean {
  if (url.length > 8192 || /[^\x21-\x7e]/.test(url)) return false
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined || refused.test(scheme)) return false
  if (scheme !== 'http' && scheme !== 'https')
    return target === 'app' && /^[^:]+:\/\/[\w./:?=-]*?(wc\?uri=[\w.%~!'()*-]*)?$/.test(url)
  try {
    const { username, password, hostname } = new URL(url)
    if (username !== '' || password !== '') return false
    return scheme === 'https' || /^(localhost|127\.0\.0\.1|\[::1\]|[a-z0-9.-]+\.localhost)$/.test(hostname)
  } catch {
    return false
  }
}

/**
 * Opens a wallet link on the user's behalf.
 *
 * 1. A link that may not be opened is INVALID_PARAMS, whatever the host says.
 * 2. `app` with the wallet's own scheme navigates this page, so that the system opens the app and the page stays. A
 *    universal link (https) would replace the page if the app is missing, so it opens in a new tab, which also opens
 *    the app.
 * 3. `tab` opens a new tab. No opened page learns about this one: it gets neither opener nor referrer.
 * 4. A new tab needs a recent click. Without one the browser blocks it, and the call is POPUP_BLOCKED.
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
