/**
 * The one allowlist matcher. The gateway decides with it which page to serve and writes `frame-ancestors` from it; the host asks it again
 * about the origin that the browser reports in the handshake.
 *
 * 1. An entry is `scheme://host` with an optional port, http or https, nothing else behind it: exact in scheme, host and port.
 * 2. `https://*.example.com` stands for exactly one label: not for `example.com`, not for `a.b.example.com`.
 * 3. A wildcard needs at least two labels behind it (`*.localhost` aside), so that nobody allows all of `.com` by a slip.
 * 4. Hosts are compared as the URL standard writes them: lower case, internationalised names in punycode.
 * 5. Look-alikes (`https://example.com.evil.test`, `https://notexample.com`) do not match, nor does a host with a trailing dot.
 * 6. The opaque origin `'null'` (sandboxed frames, `file:`, `data:`) is never allowed, nor is any scheme but http and https.
 * 7. A port of `*` stands for any port and is read on loopback hosts only.
 * 8. An entry that cannot be read allows nobody; every source that reaches a header is made of letters, digits, `-`, `.`, `:`, `/`, `*`.
 *
 * `frame-ancestors` is wider than this matcher: in CSP 3 (§6.7.2.8) a `*.` covers several labels and an `http:` source covers https too.
 * The header keeps strangers out early; the host's check of the handshake is the exact one.
 */

/** Origins that are allowed unless a project switches them off (spec §6): loopback, preview hosts, tunnels. A live project should. */
export const defaultAncestors: readonly string[] = [
  'http://localhost:*',
  'https://localhost:*',
  'http://*.localhost:*',
  'https://*.localhost:*',
  'http://127.0.0.1:*',
  'https://127.0.0.1:*',
  'https://*.pages.dev',
  'https://*.vercel.app',
  'https://*.ngrok.io',
  'https://*.ngrok.app',
  'https://*.ngrok.dev',
  'https://*.ngrok-free.app',
  'https://*.ngrok-free.dev',
  'https://*.trycloudflare.com',
  'https://*.loca.lt',
]

type Pattern = {
  readonly scheme: 'http:' | 'https:'
  /** Without the `*.`. */
  readonly host: string
  /** As the URL standard writes it: empty for the scheme's own port. */
  readonly port: string
  readonly wildcard: boolean
}

export type AncestorOptions = { readonly defaultAncestors: boolean }

/** The normal form of an allowlist entry, or null where it is none. A trailing slash is forgiven: people paste addresses. */
export function parseAllowedOrigin(entry: string): string | null {
  const pattern = readPattern(entry)
  return pattern === null ? null : writePattern(pattern)
}

/** Whether a page on `origin`, as the browser serialises it, may embed the modal. */
export function isOriginAllowed(origin: string, allowed: readonly string[], options: AncestorOptions): boolean {
  const url = parseUrl(origin)
  if (url === null || url.origin !== origin || !isHttp(url.protocol)) return false
  return sources(allowed, options).some((entry) => {
    const pattern = readPattern(entry)
    return pattern !== null && matches(url, pattern)
  })
}

/** Sources of the `frame-ancestors` directive. Empty means nobody: write `'none'`. */
export function frameAncestors(allowed: readonly string[], options: AncestorOptions): readonly string[] {
  const normal = sources(allowed, options).map(parseAllowedOrigin)
  return [...new Set(normal.filter((entry) => entry !== null))]
}

function sources(allowed: readonly string[], options: AncestorOptions): readonly string[] {
  return options.defaultAncestors ? [...allowed, ...defaultAncestors] : allowed
}

function matches(url: URL, { scheme, host, port, wildcard }: Pattern): boolean {
  if (url.protocol !== scheme) return false
  if (port !== '*' && url.port !== port) return false
  if (!wildcard) return url.hostname === host
  const suffix = `.${host}`
  if (!url.hostname.endsWith(suffix)) return false
  const label = url.hostname.slice(0, -suffix.length)
  return label !== '' && !label.includes('.')
}

const entryShape = /^(https?):\/\/(\*\.)?([^*/?#@\\\s:]+)(?::(\*|\d{1,5}))?\/?$/i
const hostShape = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

function readPattern(entry: string): Pattern | null {
  const [, scheme, star, name, port] = entryShape.exec(entry) ?? []
  if (scheme === undefined || name === undefined) return null
  const url = parseUrl(`${scheme}://${name}${port === undefined || port === '*' ? '' : `:${port}`}`)
  if (url === null || !isHttp(url.protocol) || !hostShape.test(url.hostname)) return null
  const host = url.hostname
  const wildcard = star !== undefined
  if (wildcard && (isAddress(host) || (!host.includes('.') && host !== 'localhost'))) return null
  if (port === '*' && !isLoopback(host)) return null
  return { scheme: url.protocol, host, port: port === '*' ? '*' : url.port, wildcard }
}

function writePattern({ scheme, host, port, wildcard }: Pattern): string {
  return `${scheme}//${wildcard ? '*.' : ''}${host}${port === '' ? '' : `:${port}`}`
}

function isHttp(scheme: string): scheme is Pattern['scheme'] {
  return scheme === 'http:' || scheme === 'https:'
}

/** An IPv4 address; the URL standard has already refused or normalised every other host that ends in a number. */
function isAddress(host: string): boolean {
  return /\.\d+$/.test(host)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1'
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}
