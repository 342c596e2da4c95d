import { parseUrl } from '@postern/base/parse-url'

/**
 * A link that opens a wallet (spec §5). Untrusted: it comes from a directory.
 *
 * 1. http and https links are universal, others native. Both end with a slash.
 * 2. A bare scheme (`wallet`, `wallet:`) becomes `wallet://`.
 * 3. Schemes that run code, read local data or start other programs are rejected, in any spelling.
 */
export type WalletLink = { readonly kind: 'native' | 'universal'; readonly href: string }

const refusedSchemes: ReadonlySet<string> = new Set([
  'about',
  'blob',
  'chrome',
  'chrome-extension',
  'content',
  'data',
  'file',
  'filesystem',
  'ftp',
  'intent',
  'jar',
  'javascript',
  'livescript',
  'mailto',
  'mocha',
  'moz-extension',
  'ms-msdt',
  'resource',
  'search-ms',
  'shell',
  'sms',
  'tel',
  'vbscript',
  'view-source',
  'ws',
  'wss',
])

/** Browser handlers, system programs and shares, terminals. */
const refusedFamilies = /^(web\+|ms-|search|ssh|smb|ldap|telnet)/

function isRefused(scheme: string): boolean {
  const name = scheme.toLowerCase()
  return refusedSchemes.has(name) || refusedFamilies.test(name)
}

/** Null if the link must not be followed. */
export function parseWalletLink(text: string): WalletLink | null {
  if (text.length > 2048 || hasUnprintable(text)) return null
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*)(?::(.*))?$/i.exec(text) ?? []
  if (scheme === undefined || isRefused(scheme)) return null
  if (/^https?$/i.test(scheme)) return universalLink(text)
  return {
    kind: 'native',
    href: withSlash(`${scheme}:${rest.startsWith('//') ? rest : `//${rest.replace(/^\//, '')}`}`),
  }
}

/** Rejects credentials, which disguise the host. */
function universalLink(text: string): WalletLink | null {
  const url = parseUrl(text)
  if (!/^https?:\/\//i.test(text) || url === null) return null
  const { href, username, password } = url
  return username === '' && password === '' ? { kind: 'universal', href: withSlash(href) } : null
}

function withSlash(href: string): string {
  return href.endsWith('/') ? href : `${href}/`
}

/** Browsers skip some characters: `java\tscript:` would be `javascript:`. */
function hasUnprintable(text: string): boolean {
  return /[^\x21-\x7e]/.test(text)
}

/** An app's home or a pairing. Other programs take commands after `&`, `#`, `;` or `%`. */
const appLink = /^[a-z][a-z0-9+.-]*:\/\/[\w./:?=-]*?(wc\?uri=[\w.%~!'()*-]*)?$/i

/**
 * Whether the page may open a link for the host. The page checks again; a test keeps both rules equal.
 *
 * 1. https without credentials, and http of loopback.
 * 2. An app's scheme: its home, or a pairing (`wc?uri=…`). Not in a new tab.
 */
export function isOpenableLink(url: string, target: 'app' | 'tab' = 'app'): boolean {
  if (url.length > 8192 || hasUnprintable(url)) return false
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined || isRefused(scheme)) return false
  if (scheme !== 'http' && scheme !== 'https') return target === 'app' && appLink.test(url)
  try {
    const { username, password, hostname } = new URL(url)
    if (username !== '' || password !== '') return false
    return scheme === 'https' || /^(localhost|127\.0\.0\.1|\[::1\]|[a-z0-9.-]+\.localhost)$/.test(hostname)
  } catch {
    return false
  }
}
