/** Which links of a wallet's entry may become something that a visitor clicks. */
import { parseWalletLink } from '@postern/protocol'

export function isHttps(link: string): boolean {
  return /^https:\/\/[^\s]+$/.test(link) && URL.canParse(link)
}

/** A scheme that starts an app, and none that a browser itself understands. */
export function isAppScheme(link: string): boolean {
  const browser = /^(https?|wss?|ftp|file|data|blob|javascript|vbscript|about|intent|view-source):/i
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s]*$/i.test(link) && !browser.test(link)
}

/**
 * A link behind which a pairing is put (`wc?uri=…`), in the form that is ready for it: it ends with a slash. A list of links leaves no room there,
 * and neither does a query or a fragment, but for an app's own scheme that ends with a slash in it already: some apps hand the rest on.
 */
export function pairingLink(link: string): string | undefined {
  const isApp = isAppScheme(link)
  if (link.includes(',') || !(isApp || isHttps(link))) return undefined
  if (/[?#]/.test(link) && !(isApp && link.endsWith('/'))) return undefined
  return parseWalletLink(link)?.href
}
