/**
 * One try at one upstream, and the order in which upstreams are tried: what JSON-RPC and Esplora share.
 *
 * 1. An exchange has one deadline; each try but the last gets an equal share of what is left, so that a silent upstream leaves time
 *    for the next one.
 * 2. An upstream that failed goes to the end of the line for 30 s.
 * 3. A try ends on no connection, a redirect, its timeout and a body over `maxResponseBytes`, counted as it comes.
 * 4. A failed try is told by the upstream's host and one of a fixed set of reasons: an error's own words may hold the address.
 */
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
  /** Milliseconds for the whole exchange, all tries together. */
  readonly timeout: number
  readonly maxResponseBytes: number
  /** Told of every failed try, by the upstream's host name only: its path may hold a key. */
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
  /** The upstreams as they stand in line now: the ones that failed lately last. */
  order(urls: readonly string[]): string[]
  failed(url: string): void
  answered(url: string): void
}

export function createLine(now: () => number): Line {
  /** When each failed upstream may stand in front again, epoch milliseconds. One entry a configured upstream at most. */
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
 * Tries upstreams until `isDone` or nobody is left; a try that throws is a failed one.
 * @param attempt is told its upstream and how many milliseconds it has.
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

/** Why a try failed, by what it threw: {@link AttemptError}, or what `fetch` throws. */
export function reasonOf(error: unknown): FailureReason {
  if (error instanceof AttemptError) return error.reason
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no connection'
}

/** @throws {AttemptError} and what `fetch` throws. */
export async function fetchText(
  url: string,
  init: RequestInit,
  timeout: number,
  options: Pick<UpstreamOptions, 'fetch' | 'maxResponseBytes'>,
): Promise<{ readonly response: Response; readonly text: string }> {
  const signal = AbortSignal.timeout(Math.ceil(timeout))
  const response = await options.fetch(url, { ...init, redirect: 'error', signal })
  return { response, text: await readLimited(response, options.maxResponseBytes) }
}

/** Counts bytes as they come, so that no upstream can fill the memory. */
async function readLimited(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > most) throw new AttemptError('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
