/**
 * One attempt at one upstream, and the order of upstreams; for JSON-RPC and Esplora.
 *
 * 1. All attempts share one deadline. Each but the last gets an equal share of the remaining time, so a silent upstream
 *    leaves time for the next.
 * 2. A failed upstream goes to the end of the order for 30 s.
 * 3. An attempt fails on a connection error, a redirect, its timeout, or a body too large or too costly to parse
 *    (`json-scan.ts`).
 * 4. A large body reserves memory (`byte-budget.ts`) until it is parsed or passed on, in its own turns (`turns.ts`).
 *    Without memory in time: BusyError, and no upstream failed.
 * 5. A failure is reported as host and fixed reason: an error's own message may contain the URL.
 */
import { UpstreamsFailedError } from './byte-budget'
import { createJsonScan } from './json-scan'
import { createLargeBodies, type LargeBodies, smallBodyBytes } from './large-bodies'

export { BusyError, UpstreamsFailedError } from './byte-budget'

export type FailureReason =
  | 'timeout'
  | 'no connection'
  | 'not JSON-RPC'
  | 'not Esplora'
  | 'too large'
  | `status ${number}`

export type UpstreamOptions = {
  readonly fetch: typeof globalThis.fetch
  /** Epoch ms. */
  readonly now: () => number
  /** Of all attempts, in ms. */
  readonly timeout: number
  readonly maxResponseBytes: number
  /** Default: shared by all that set none. */
  readonly largeBodies?: LargeBodies
  /** Only the host: the path may contain a key. */
  readonly onFailure: (failure: { readonly host: string; readonly reason: FailureReason }) => void
  readonly onAnswer?: (host: string) => void
}

export class AttemptError extends Error {
  override readonly name = 'AttemptError'
  constructor(readonly reason: FailureReason) {
    super(reason)
  }
}

const coolOff = 30_000

export type Line = {
  /** Recently failed upstreams last. */
  order(urls: readonly string[]): string[]
  failed(url: string): void
  answered(url: string): void
}

export function createLine(now: () => number): Line {
  /** End of each failed upstream's rest, in epoch ms. */
  const resting = new Map<string, number>()
  const restUntil = (url: string) => {
    const until = resting.get(url)
    return until === undefined || until <= now() ? 0 : until
  }
  return {
    order: (urls) => [...urls].sort((a, b) => restUntil(a) - restUntil(b)),
    failed: (url) => void resting.set(url, now() + coolOff),
    answered: (url) => void resting.delete(url),
  }
}

/**
 * Tries upstreams until `isDone`. An attempt that throws has failed.
 *
 * @param attempt gets its time limit in ms.
 * @throws {BusyError}
 */
export async function tryInTurn(
  urls: readonly string[],
  line: Line,
  { now, timeout, onFailure, onAnswer }: Pick<UpstreamOptions, 'now' | 'timeout' | 'onFailure' | 'onAnswer'>,
  attempt: (url: string, timeout: number) => Promise<void>,
  isDone: () => boolean,
): Promise<void> {
  const deadline = now() + timeout
  const inLine = line.order(urls)
  for (const [index, url] of inLine.entries()) {
    const left = deadline - now()
    if (left <= 0 || isDone()) return
    try {
      await attempt(url, left / (inLine.length - index))
      onAnswer?.(new URL(url).host)
    } catch (error) {
      if (error instanceof UpstreamsFailedError) throw error
      line.failed(url)
      onFailure({ host: new URL(url).host, reason: reasonOf(error) })
    }
  }
}

export function reasonOf(error: unknown): FailureReason {
  if (error instanceof AttemptError) return error.reason
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no connection'
}

export type ReadOptions = Pick<UpstreamOptions, 'fetch' | 'maxResponseBytes' | 'largeBodies'> & {
  /** Whose memory budget a large body uses. Default: the gateway's own. */
  readonly caller?: string
}

const otherLargeBodies = createLargeBodies()

/** @throws as {@link readWhole}. */
export async function fetchText(
  url: string,
  init: RequestInit,
  timeout: number,
  options: ReadOptions,
): Promise<{ readonly response: Response; readonly text: string }> {
  return fetchAndUse(url, init, timeout, options, (response, text) => ({ response, text }))
}

/** Holds a large body's memory until `use` returns. */
export async function fetchAndUse<T>(
  url: string,
  init: RequestInit,
  timeout: number,
  options: ReadOptions,
  use: (response: Response, text: string) => T,
): Promise<T> {
  const body = await openBody(url, init, timeout, options)
  try {
    return await readWhole(body, options.maxResponseBytes, use)
  } finally {
    body.close()
  }
}

/** Its owner closes it. */
export type OpenBody = {
  readonly response: Response
  /** Null at the end. @throws as {@link openBody}. */
  read(): Promise<Uint8Array | null>
  isLarge(): boolean
  /** Waits for memory. @throws {BusyError} */
  reserve(kind: 'parsed' | 'streamed', bytes: number): Promise<void>
  parseTurn(): Promise<void>
  /** From now, in ms. */
  setTimeout(timeout: number): void
  /** Releases the memory too. */
  close(): void
}

/** @throws {AttemptError} and the errors of `fetch`. */
export async function openBody(
  url: string,
  init: RequestInit,
  timeout: number,
  options: ReadOptions,
): Promise<OpenBody> {
  const { maxResponseBytes, largeBodies = otherLargeBodies, caller = '' } = options
  const ending = new AbortController()
  const onTimeout = () => ending.abort(new DOMException('The upstream did not answer in time', 'TimeoutError'))
  let timer = setTimeout(onTimeout, Math.ceil(timeout))
  let release: (() => void) | undefined
  let size = 0
  const close = () => {
    clearTimeout(timer)
    release?.()
    ending.abort()
  }
  try {
    const response = await options.fetch(url, { ...init, redirect: 'error', signal: ending.signal })
    if (Number(response.headers.get('Content-Length')) > maxResponseBytes) throw new AttemptError('too large')
    const reader = response.body?.getReader()
    return {
      response,
      async read() {
        if (size > smallBodyBytes) await largeBodies.turns.next('chunk')
        const chunk = await reader?.read()
        if (chunk?.value === undefined) return null
        size += chunk.value.byteLength
        if (size > maxResponseBytes) throw new AttemptError('too large')
        return chunk.value
      },
      isLarge: () => size > smallBodyBytes,
      async reserve(kind, bytes) {
        release ??= await largeBodies[kind].reserve(bytes, caller, ending.signal)
      },
      parseTurn: () => largeBodies.turns.next('parse'),
      setTimeout(next) {
        clearTimeout(timer)
        timer = setTimeout(onTimeout, next)
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** @param head chunks already read. @throws {AttemptError}, {BusyError} and the errors of `fetch`. */
export async function readWhole<T>(
  body: OpenBody,
  maxResponseBytes: number,
  use: (response: Response, text: string) => T,
  head: readonly Uint8Array[] = [],
): Promise<T> {
  const chunks = [...head]
  const scan = createJsonScan()
  for (const chunk of chunks) scan.push(chunk)
  for (;;) {
    if (body.isLarge()) await body.reserve('parsed', maxResponseBytes)
    const chunk = await body.read()
    if (chunk === null) break
    chunks.push(chunk)
    scan.push(chunk)
    if (body.isLarge() && scan.isCostly()) throw new AttemptError('too large')
  }
  if (body.isLarge()) await body.parseTurn()
  return use(body.response, Buffer.concat(chunks).toString('utf8'))
}
