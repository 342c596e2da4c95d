import { parseWalletLink } from '@postern/protocol'

export function isHttps(link: string): boolean {
  return /^https:\/\/[^\s]+$/.test(link) && URL.canParse(link)
}

/** A scheme that browsers do not handle. */
export function isAppScheme(link: string): boolean {
  const browser = /^(https?|wss?|ftp|file|data|blob|javascript|vbscript|about|intent|view-source):/i
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s]*$/i.test(link) && !browser.test(link)
}

/**
 * Ends a link with a slash, for a pairing (`wc?uri=…`) to follow. Rejects lists, and links with a query or fragment,
 * unless an app scheme ends with a slash in it, as some apps accept.
 */
export function pairingLink(link: string): string | undefined {
  const isApp = isAppScheme(link)
  if (link.includes(',') || !(isApp || isHttps(link))) return undefined
  if (/[?#]/.test(link) && !(isApp && link.endsWith('/'))) return undefined
  return parseWalletLink(link)?.href
}
