/**
 * Fetches untrusted URLs, such as of NFTs and avatars. An attacker chooses them, so they may lead only to public
 * servers.
 *
 * 1. Only https on its default port, without user or password.
 * 2. The host resolves once, to public addresses only. The connection goes to one of these: later DNS changes do not
 *    matter.
 * 3. At most three redirects, each under all rules.
 * 4. One deadline covers everything, also the wait for a slot. Bytes are counted as they arrive, not decompressed.
 * 5. The response has a requested content type. No cookie, referrer or origin is sent.
 * 6. URLs below the operator's own (`trusted`) may have any address and use http, but not the rest of that server: an
 *    attacker can name it too, or redirect to it.
 * 7. Requests are limited in total and per site (`places.ts`). A silent host is skipped for 5 s.
 * 8. A body (JSON, by POST) follows only redirects that preserve it.
 */
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { createPlaces, type PlacesOptions, siteOf } from './places'
import { isPublicAddress } from './public-address'

/** The message is from a fixed set, without URL. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly status: number | null
  constructor(message: string, status: number | null = null) {
    super(message)
    this.status = status
  }
}

export type Wanted = {
  /** For `Content-Type` in lower case, without parameters. */
  readonly type: RegExp
  readonly maxBytes: number
}

/** @param sent JSON for a POST; default: a GET. @throws {RemoteError} */
export type PublicFetch = (
  url: string,
  wanted: Wanted,
  sent?: string,
  signal?: AbortSignal,
) => Promise<Uint8Array<ArrayBuffer>>

export type PublicFetchOptions = PlacesOptions & {
  readonly resolve: (hostname: string) => Promise<readonly LookupAddress[]>
  readonly isPublic: (address: string) => boolean
  readonly request: (url: URL, options: RequestOptions) => ReturnType<typeof httpsRequest>
  /** The operator's base URL with a trailing slash. */
  readonly trusted: string | null
  readonly timeout: number
  /** In ms, from any start. */
  readonly now: () => number
}

export const publicFetchDefaults: Omit<PublicFetchOptions, 'trusted'> = {
  resolve: askNameServers,
  isPublic: isPublicAddress,
  request: (url, options) => (url.protocol === 'http:' ? httpRequest : httpsRequest)(url, options),
  timeout: 6_000,
  now: () => performance.now(),
  atOnce: 32,
  perSite: 16,
  waiting: 200,
  waitingPerSite: 100,
}

/** Without the system's resolver: a slow name server could block its few threads, which also read files. */
async function askNameServers(hostname: string): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return answers.flatMap((answer, index) =>
    answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
  )
}

/** In ms. */
const unresponsiveMs = 5_000
const maxUnresponsiveHosts = 1_000
const maxRedirects = 3
const bodyKeepingRedirects: readonly (number | undefined)[] = [307, 308]
const redirects = [301, 302, 303, ...bodyKeepingRedirects]

export function createPublicFetch(options: PublicFetchOptions): PublicFetch {
  const places = createPlaces(options)
  /** By silent host. */
  const unresponsiveUntil = new Map<string, number>()

  async function follow(from: URL, wanted: Wanted, sent: string | undefined, signal: AbortSignal, heard: () => void) {
    let url = from
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const response = await ask(url, sent, signal, options)
      heard()
      if (!redirects.includes(response.statusCode)) return take(response, wanted)
      response.destroy()
      if (sent !== undefined && !bodyKeepingRedirects.includes(response.statusCode))
        throw new RemoteError('a redirect to nowhere')
      const { location } = response.headers
      if (location === undefined || !URL.canParse(location, url.href)) throw new RemoteError('a redirect to nowhere')
      url = new URL(location, url)
    }
    throw new RemoteError('too many redirects')
  }

  function isUnresponsive(hostname: string): boolean {
    const until = unresponsiveUntil.get(hostname) ?? 0
    if (until > options.now()) return true
    unresponsiveUntil.delete(hostname)
    return false
  }

  function markUnresponsive(hostname: string): void {
    const [oldest] = unresponsiveUntil.keys()
    if (unresponsiveUntil.size >= maxUnresponsiveHosts && oldest !== undefined) unresponsiveUntil.delete(oldest)
    unresponsiveUntil.set(hostname, options.now() + unresponsiveMs)
  }

  return async (text, wanted, sent, calledOff) => {
    const url = readUrl(text)
    const isOwn = isBelow(url, options.trusted)
    const late = AbortSignal.timeout(options.timeout)
    const signal = calledOff === undefined ? late : AbortSignal.any([late, calledOff])
    const refuseUnresponsive = () => {
      if (!isOwn && isUnresponsive(url.hostname)) throw new RemoteError('silent a moment ago')
    }
    let startedAt: number | null = null
    let leave: (() => void) | null = null
    try {
      refuseUnresponsive()
      leave = await places.enter(isOwn ? null : siteOf(url.hostname), signal)
      if (leave === null) throw new RemoteError('too many')
      refuseUnresponsive()
      startedAt = options.now()
      const heard = () => {
        startedAt = null
      }
      return await beforeAbort(follow(url, wanted, sent, signal, heard), signal)
    } catch (error) {
      // A wait for a slot says little about the host.
      const waited = startedAt === null ? 0 : options.now() - startedAt
      if (!isOwn && late.aborted && waited >= options.timeout / 2) markUnresponsive(url.hostname)
      if (error instanceof RemoteError) throw error
      throw new RemoteError(signal.aborted ? 'timeout' : 'no connection')
    } finally {
      leave?.()
    }
  }
}

function readUrl(text: string): URL {
  if (!URL.canParse(text)) throw new RemoteError('no URL')
  return new URL(text)
}

async function ask(
  url: URL,
  sent: string | undefined,
  signal: AbortSignal,
  options: PublicFetchOptions,
): Promise<IncomingMessage> {
  const address = isBelow(url, options.trusted) ? null : await addressOf(url, options)
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const request = options.request(url, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: {
        Accept: '*/*',
        'Accept-Encoding': 'identity',
        ...(sent !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) }),
      },
      // A pooled connection may lead to an unchecked address.
      agent: false,
      signal,
      maxHeaderSize: 16_384,
      ...(address !== null && { lookup: pinned(address) }),
    })
    request.once('error', reject)
    request.once('response', resolve)
    request.end(sent)
  })
}

/** `href` has `..` resolved. */
function isBelow({ href }: URL, trusted: string | null): boolean {
  return trusted !== null && href.startsWith(trusted)
}

/** The only address to connect to. */
async function addressOf(url: URL, { resolve, isPublic }: PublicFetchOptions): Promise<LookupAddress> {
  if (url.protocol !== 'https:' || url.port !== '' || `${url.username}${url.password}` !== '') {
    throw new RemoteError('not an https URL')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }]
  const [first] = addresses
  if (first === undefined || !addresses.every(({ address }) => isPublic(address))) {
    throw new RemoteError('not a public address')
  }
  return first
}

function pinned({ address, family }: LookupAddress): LookupFunction {
  return (_hostname, { all }, callback) => {
    if (all === true) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}

async function take(response: IncomingMessage, { type, maxBytes }: Wanted): Promise<Uint8Array<ArrayBuffer>> {
  const refuse = (reason: string, status: number | null = null) => {
    response.destroy()
    return new RemoteError(reason, status)
  }
  if (response.statusCode !== 200) throw refuse('another status', response.statusCode)
  const [contentType = ''] = (response.headers['content-type'] ?? '').toLowerCase().split(';', 1)
  if (!type.test(contentType.trim())) throw refuse('another type')
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') throw refuse('packed')
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw refuse('too large')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response) {
    if (!(chunk instanceof Uint8Array)) throw refuse('no bytes')
    size += chunk.byteLength
    if (size > maxBytes) throw refuse('too large')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** A DNS lookup cannot be aborted, only ignored. */
function beforeAbort<T>(asking: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new RemoteError('timeout'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    asking.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
