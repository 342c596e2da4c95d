/**
 * One attempt at one upstream, and the order of upstreams; shared by JSON-RPC and Esplora.
 *
 * 1. An exchange has one deadline. Each attempt but the last gets an equal share of the remaining time, so that a
 *    silent upstream leaves time for the next.
 * 2. A failed upstream goes to the end of the order for 30 s.
 * 3. An attempt fails on a connection error, a redirect, its timeout, or a body over `maxResponseBytes`, counted as it
 *    arrives.
 * 4. A large body waits for memory of `budget`, if there is one, and holds it until it is parsed (`use`).
 * 5. A failed attempt is reported as the upstream's host and a fixed reason, because an error's own message may contain
 *    the URL.
 */
import { setImmediate } from 'node:timers/promises'
import type { ByteBudget } from './byte-budget'
export type FailureReason =
  | 'timeout'
  | 'no connection'
  | 'not JSON-RPC'
  | 'not Esplora'
  | 'too large'
  | `status ${number}`

export type UpstreamOptions = {
  readonly fetch: typeof globalThis.fetch
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Of all attempts together, in ms. */
  readonly timeout: number
  readonly maxResponseBytes: number
  /** Default: no limit of all bodies together. */
  readonly budget?: ByteBudget
  /** Only the host: the path may contain a key. */
  readonly onFailure: (failure: { readonly host: string; readonly reason: FailureReason }) => void
}

/** Every upstream failed. */
export class UpstreamsFailedError extends Error {
  override readonly name = 'UpstreamsFailedError'
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
  /** When each failed upstream may be first again, in epoch milliseconds. */
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
 * @param attempt gets its upstream and time limit in ms.
 */
export async function tryInTurn(
  urls: readonly string[],
  line: Line,
  { now, timeout, onFailure }: Pick<UpstreamOptions, 'now' | 'timeout' | 'onFailure'>,
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
    } catch (error) {
      line.failed(url)
      onFailure({ host: new URL(url).host, reason: reasonOf(error) })
    }
  }
}

/** Of {@link AttemptError} or a `fetch` error. */
export function reasonOf(error: unknown): FailureReason {
  if (error instanceof AttemptError) return error.reason
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no connection'
}

type FetchTextOptions = Pick<UpstreamOptions, 'fetch' | 'maxResponseBytes' | 'budget'>

/** @throws {AttemptError} and the errors of `fetch`. */
export async function fetchText(
  url: string,
  init: RequestInit,
  timeout: number,
  options: FetchTextOptions,
): Promise<{ readonly response: Response; readonly text: string }> {
  return fetchAndUse(url, init, timeout, { ...options, caller: '' }, (response, text) => ({ response, text }))
}

/** As {@link fetchText}; the memory of a large body is held until `use` returns. */
export async function fetchAndUse<T>(
  url: string,
  init: RequestInit,
  timeout: number,
  options: FetchTextOptions & { readonly caller: string },
  use: (response: Response, text: string) => T,
): Promise<T> {
  const { budget, caller, maxResponseBytes } = options
  const signal = AbortSignal.timeout(Math.ceil(timeout))
  const response = await options.fetch(url, { ...init, redirect: 'error', signal })
  let release: (() => void) | undefined
  try {
    const text = await readLimited(response, maxResponseBytes, async (size) => {
      if (budget === undefined || size <= budget.smallBytes || release !== undefined) return
      release = await budget.reserve(maxResponseBytes, caller, signal)
    })
    // Other requests get a turn between two large bodies.
    if (release !== undefined) await setImmediate()
    return use(response, text)
  } finally {
    release?.()
  }
}

/** Counts bytes on arrival: no upstream can exhaust the memory. */
async function readLimited(
  response: Response,
  maxBytes: number,
  onSize: (size: number) => Promise<void>,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new AttemptError('too large')
    await onSize(size)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
