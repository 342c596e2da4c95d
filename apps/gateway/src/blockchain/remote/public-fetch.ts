/**
 * Fetches what strangers name: pictures and descriptions of collectibles, pictures of names, and what servers say of names (`offchain/`). Whoever mints a token or
 * owns a name chooses the address, so it must lead nowhere but to a public server.
 *
 * 1. Only https on its own port, with neither user nor password.
 * 2. The host's addresses are looked up once. If any of them is not public nothing is asked; the connection then goes to one of those very addresses, so what
 *    the name leads to a moment later does not matter. An address in the place of a name is held to the same.
 * 3. A redirect is a new address, held to all of this; after three of them it ends.
 * 4. One deadline for all of it, the wait for a place too, however slowly it comes; and a most of bytes, counted as they come. Nothing is unpacked. Whoever asked
 *    can call it off, from when on nothing goes out.
 * 5. The answer's type must be one that was asked for. It is told nothing of who asks: no cookie, no referrer, no origin.
 * 6. What is below the operator's own address (`trusted`) may be anywhere and speak http; where it redirects to is held to the rules. The rest of that server is
 *    nobody's to ask for: a stranger can name it too, or redirect there.
 * 7. A few are asked at a time, of one site fewer (`places.ts`); whoever comes beyond waits, and gets nothing where too many do. A host of which nothing was heard
 *    by the deadline is not asked for the next 5 s.
 * 8. What is sent (JSON, by POST) goes on by a redirect that keeps it, 307 and 308, and by no other.
 */
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { createPlaces, type PlacesOptions, siteOf } from './places'
import { isPublicAddress } from './public-address'

/** Nothing came that could be taken. The message is one of a fixed set of reasons: it never holds an address. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  /** Of HTTP, where that is the reason. */
  readonly status: number | null
  constructor(message: string, status: number | null = null) {
    super(message)
    this.status = status
  }
}

export type Wanted = {
  /** Of the answer's `Content-Type`, in lower case, without parameters. */
  readonly type: RegExp
  readonly mostBytes: number
}

/** @param sent JSON for a POST; absent: a GET. @param signal calls it off. @throws {RemoteError} */
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
  /** An address of the operator's own with a slash at its end; null: none. */
  readonly trusted: string | null
  /** Milliseconds for everything. */
  readonly timeout: number
  /** Milliseconds, from any moment on. */
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

/**
 * By the name servers themselves and not by the system, whose look-ups take turns on few threads that files are read on too: a stranger's slow name server would hold
 * them up. What only this machine calls by a name has none here.
 */
async function askNameServers(hostname: string): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return answers.flatMap((answer, index) =>
    answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
  )
}

/** Milliseconds. */
const silentFor = 5_000
const mostSilent = 1_000
const mostRedirects = 3
const keeping: readonly (number | undefined)[] = [307, 308]
const redirects = [301, 302, 303, ...keeping]

export function createPublicFetch(options: PublicFetchOptions): PublicFetch {
  const places = createPlaces(options)
  /** Until when they are not asked. */
  const silent = new Map<string, number>()

  async function follow(from: URL, wanted: Wanted, sent: string | undefined, signal: AbortSignal, heard: () => void) {
    let url = from
    for (let hop = 0; hop <= mostRedirects; hop++) {
      const response = await ask(url, sent, signal, options)
      heard()
      if (!redirects.includes(response.statusCode)) return take(response, wanted)
      response.destroy()
      if (sent !== undefined && !keeping.includes(response.statusCode)) throw new RemoteError('a redirect to nowhere')
      const { location } = response.headers
      if (location === undefined || !URL.canParse(location, url)) throw new RemoteError('a redirect to nowhere')
      url = new URL(location, url)
    }
    throw new RemoteError('too many redirects')
  }

  function isSilent(hostname: string): boolean {
    const until = silent.get(hostname) ?? 0
    if (until > options.now()) return true
    silent.delete(hostname)
    return false
  }

  function remember(hostname: string): void {
    const [oldest] = silent.keys()
    if (silent.size >= mostSilent && oldest !== undefined) silent.delete(oldest)
    silent.set(hostname, options.now() + silentFor)
  }

  return async (text, wanted, sent, calledOff) => {
    const url = readUrl(text)
    const isOwn = isBelow(url, options.trusted)
    const late = AbortSignal.timeout(options.timeout)
    const signal = calledOff === undefined ? late : AbortSignal.any([late, calledOff])
    const refuseSilent = () => {
      if (!isOwn && isSilent(url.hostname)) throw new RemoteError('silent a moment ago')
    }
    let askedAt: number | null = null
    let leave: (() => void) | null = null
    try {
      refuseSilent()
      leave = await places.enter(isOwn ? null : siteOf(url.hostname), signal)
      if (leave === null) throw new RemoteError('too many')
      refuseSilent()
      askedAt = options.now()
      const heard = () => {
        askedAt = null
      }
      return await beforeAbort(follow(url, wanted, sent, signal, heard), signal)
    } catch (error) {
      // Not where most of the time went into waiting, nor where somebody had enough of it: then little is known of the host.
      const waited = askedAt === null ? 0 : options.now() - askedAt
      if (!isOwn && late.aborted && waited >= options.timeout / 2) remember(url.hostname)
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

/** @throws {RemoteError} */
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
      // A connection of its own, so that none is used that was made for somebody else's address.
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

/** By its normal form: `..` and its like are gone from there. */
function isBelow({ href }: URL, trusted: string | null): boolean {
  return trusted !== null && href.startsWith(trusted)
}

/** The one address that is connected to. @throws {RemoteError} */
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

/** Node asks for one address or for all of them. */
function pinned({ address, family }: LookupAddress): LookupFunction {
  return (_hostname, { all }, callback) => {
    if (all === true) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}

async function take(response: IncomingMessage, { type, mostBytes }: Wanted): Promise<Uint8Array<ArrayBuffer>> {
  const refuse = (reason: string, status: number | null = null) => {
    response.destroy()
    return new RemoteError(reason, status)
  }
  if (response.statusCode !== 200) throw refuse('another status', response.statusCode)
  const [given = ''] = (response.headers['content-type'] ?? '').toLowerCase().split(';', 1)
  if (!type.test(given.trim())) throw refuse('another type')
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') throw refuse('packed')
  if (Number(response.headers['content-length'] ?? 0) > mostBytes) throw refuse('too large')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response) {
    if (!(chunk instanceof Uint8Array)) throw refuse('no bytes')
    size += chunk.byteLength
    if (size > mostBytes) throw refuse('too large')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** A name's look-up cannot be called off; nobody waits for it longer than for the rest. */
function beforeAbort<T>(asking: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new RemoteError('timeout'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    asking.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
