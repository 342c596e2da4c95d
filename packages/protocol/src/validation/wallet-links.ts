/**
 * A parsed link that opens a wallet (spec §5). Links come from a directory, so they are untrusted.
 *
 * 1. http and https links are universal links; every other scheme is native. Both end with a slash.
 * 2. A bare scheme (`wallet`, `wallet:`) is completed to `wallet://`.
 * 3. Schemes that run code, read local data or start other programs are rejected, however they are written (case,
 *    spaces, control characters).
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

/** Null if it may not be followed. */
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

/** Credentials before the host only disguise it. */
function universalLink(text: string): WalletLink | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null
  const { href, username, password } = new URL(text)
  return username === '' && password === '' ? { kind: 'universal', href: withSlash(href) } : null
}

function withSlash(href: string): string {
  return href.endsWith('/') ? href : `${href}/`
}

/** Browsers skip some: `java\tscript:` would be `javascript:`. */
function hasUnprintable(text: string): boolean {
  return /[^\x21-\x7e]/.test(text)
}

/**
 * A complete link (`wc?uri=…`): the same schemes, printable, plain http only for loopback. The page checks again; a
 * test keeps both rules equal.
 */
export function isOpenableLink(url: string): boolean {
  if (url.length > 8192 || hasUnprintable(url)) return false
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase()
  if (scheme === undefined || isRefused(scheme)) return false
  if (scheme !== 'http' && scheme !== 'https') return true
  if (!URL.canParse(url)) return false
  const { username, password, hostname } = new URL(url)
  if (username !== '' || password !== '') return false
  return scheme === 'https' || /^(localhost|127\.0\.0\.1|\[::1\]|[a-z0-9.-]+\.localhost)$/.test(hostname)
}
