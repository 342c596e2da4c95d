import { failure } from '../errors'
import { modalFailure } from './failures'

/** Schemes that run code, read the machine or start arbitrary programs. Held equal to the protocol's rule by `open-link.test.ts`. */
const refused =
  /^(web\+|ms-|search|ssh|smb|ldap|telnet)|^(about|blob|chrome|chrome-extension|content|data|file|filesystem|ftp|intent|jar|javascript|livescript|mailto|mocha|moz-extension|resource|shell|sms|tel|vbscript|view-source|wss?)$/

/** Whether a wallet's link may be opened: only printable characters, a scheme that is not refused, and plain http for loopback alone. */
export function isOpenableLink(url: string): boolean {
  if (url.length > 8192 || /[^\x21-\x7e]/.test(url)) return false
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined || refused.test(scheme)) return false
  if (scheme !== 'http' && scheme !== 'https') return true
  try {
    const { username, password, hostname } = new URL(url)
    if (username !== '' || password !== '') return false
    return scheme === 'https' || /^(localhost|127\.0\.0\.1|\[::1\]|[a-z0-9.-]+\.localhost)$/.test(hostname)
  } catch {
    return false
  }
}

/**
 * Opens a link of a wallet in the visitor's name.
 *
 * 1. What may not be opened is INVALID_PARAMS, whatever the host says.
 * 2. `app` with a scheme of the wallet's own goes to the system by this very page, which stays where it is. A universal link (https) would
 *    take the page away where the app is missing, so it goes to a new tab, from which systems open the app just as well.
 * 3. `tab` is a new tab. No page that is opened learns of this one: neither an opener nor a referrer.
 * 4. A new tab needs a click that is still fresh; without one the browser would open nothing, and that is POPUP_BLOCKED.
 */
export function openLink(
  window: {
    readonly navigator: { readonly userActivation?: { readonly isActive: boolean } }
    open(url: string, target: string, features?: string): unknown
  },
  { url, target }: { url: string; target: 'app' | 'tab' },
): void {
  if (!isOpenableLink(url)) throw failure('INVALID_PARAMS')
  if (target === 'app' && !/^https?:/i.test(url)) {
    window.open(url, '_self')
    return
  }
  if (window.navigator.userActivation?.isActive === false) throw modalFailure('POPUP_BLOCKED')
  window.open(url, '_blank', 'noopener,noreferrer')
}
