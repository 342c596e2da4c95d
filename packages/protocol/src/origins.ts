/**
 * The only allowlist matcher: for served pages, `frame-ancestors`, and the host's handshake.
 *
 * 1. An entry is `scheme://host`, http or https, with an optional port. All parts match exactly.
 * 2. `https://*.example.com` matches one label: not `example.com`, not `a.b.example.com`.
 * 3. A wildcard needs two labels after it (except `*.localhost`).
 * 4. Hosts are compared as the URL standard writes them: lower case, punycode.
 * 5. Look-alikes (`https://example.com.evil.test`) and hosts with a trailing dot do not match.
 * 6. The opaque origin `'null'` (sandboxed frames, `file:`, `data:`) never matches.
 * 7. Port `*` matches any port, on loopback hosts only.
 * 8. An invalid entry allows nothing. Header sources consist of letters, digits, `-`, `.`, `:`, `/`, `*`.
 *
 * `frame-ancestors` is wider (CSP 3 §6.7.2.8: `*.` covers several labels, `http:` covers https).
 */

import { parseUrl } from '@postern/base/parse-url'

/** Loopback, previews, tunnels (spec §6). Disable in production. */
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
  readonly host: string
  /** Empty: the default port. */
  readonly port: string
  readonly wildcard: boolean
}

export type AncestorOptions = { readonly defaultAncestors: boolean }

/** Canonical form; null if invalid. */
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

export function isLoopbackOrigin(origin: string): boolean {
  const url = parseUrl(origin)
  return url !== null && url.origin === origin && isHttp(url.protocol) && isLoopback(url.hostname)
}

/** If empty, write `'none'`. */
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

/** The URL standard normalizes or rejects other hosts that end in a number. */
function isAddress(host: string): boolean {
  return /\.\d+$/.test(host)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1'
}
