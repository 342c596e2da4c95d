/**
 * Links that open a wallet (spec §5). They come from a directory, so they are hostile until read.
 *
 * 1. http and https links are universal links; every other scheme is native. Both end with a slash.
 * 2. A bare scheme (`wallet`, `wallet:`) is completed to `wallet://`.
 * 3. Schemes that run code, read the machine or start arbitrary programs are refused, however they are written (case, spaces, control characters).
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

/** Families of schemes: a browser's registered handlers, a system's own programs and shares, terminals. */
const refusedFamilies = /^(web\+|ms-|search|ssh|smb|ldap|telnet)/

function isRefused(scheme: string): boolean {
  const name = scheme.toLowerCase()
  return refusedSchemes.has(name) || refusedFamilies.test(name)
}

/** The link in its normal form, or null where it is none that may be followed. */
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

/** A name or password before the host only serves to disguise it. */
function universalLink(text: string): WalletLink | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null
  const { href, username, password } = new URL(text)
  return username === '' && password === '' ? { kind: 'universal', href: withSlash(href) } : null
}

function withSlash(href: string): string {
  return href.endsWith('/') ? href : `${href}/`
}

/** Spaces and control characters: browsers skip some of them, so `java\tscript:` would be `javascript:`. */
function hasUnprintable(text: string): boolean {
  return /[^\x21-\x7e]/.test(text)
}

/**
 * Whether a link with all that was added to it (`wc?uri=…`) may be opened: the same schemes, and nothing that hides. Plain http is for loopback.
 * The page checks again by itself before it opens anything; a test holds both equal.
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
