/**
 * The only allowlist matcher: for served pages, their `frame-ancestors`, and the host's handshake.
 *
 * 1. An entry is `scheme://host`, http or https, with an optional port and nothing after it. All parts are exact.
 * 2. `https://*.example.com` matches exactly one label: not `example.com`, not `a.b.example.com`.
 * 3. A wildcard needs at least two labels after it (except `*.localhost`): `https://*.com` is invalid.
 * 4. Hosts are compared in the form of the URL standard: lower case, punycode.
 * 5. Look-alikes (`https://example.com.evil.test`, `https://notexample.com`) and hosts with a trailing dot do not
 *    match.
 * 6. The opaque origin `'null'` (sandboxed frames, `file:`, `data:`) and schemes other than http and https never match.
 * 7. Port `*` matches any port and is valid on loopback hosts only.
 * 8. An invalid entry allows nothing. Header sources consist of letters, digits, `-`, `.`, `:`, `/`, `*`.
 *
 * `frame-ancestors` is wider: in CSP 3 (§6.7.2.8) `*.` covers several labels and `http:` covers https. The header
 * stops most foreign pages early; the handshake check is exact.
 */

import { parseUrl } from '@postern/base/parse-url'

/** Loopback, preview hosts, tunnels: allowed unless disabled (spec §6). Disable in production. */
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
  /** Without `*.`. */
  readonly host: string
  /** Empty: the scheme's default port. */
  readonly port: string
  readonly wildcard: boolean
}

export type AncestorOptions = { readonly defaultAncestors: boolean }

/** The entry in canonical form; null if invalid. Accepts a trailing slash, as in pasted URLs. */
export function parseAllowedOrigin(entry: string): string | null {
  const pattern = readPattern(entry)
  return pattern === null ? null : writePattern(pattern)
}

/** `origin`: as the browser serializes it. */
export function isOriginAllowed(origin: string, allowed: readonly string[], options: AncestorOptions): boolean {
  const url = parseUrl(origin)
  if (url === null || url.origin !== origin || !isHttp(url.protocol)) return false
  return sources(allowed, options).some((entry) => {
    const pattern = readPattern(entry)
    return pattern !== null && matches(url, pattern)
  })
}

/** Whether the origin, as the browser serializes it, is the user's own machine, on any port. */
export function isLoopbackOrigin(origin: string): boolean {
  const url = parseUrl(origin)
  return url !== null && url.origin === origin && isHttp(url.protocol) && isLoopback(url.hostname)
}

/** If the list is empty, write `'none'`. */
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

/** The URL standard normalizes or rejects all other hosts that end in a number. */
function isAddress(host: string): boolean {
  return /\.\d+$/.test(host)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1'
}
