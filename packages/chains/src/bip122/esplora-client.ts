import { type Clock, deadline } from '@postern/base/clock'
import { limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asUnreachable, orAfterRateLimit, unreadable } from '../nodes/unreachable'

/** Source: https://github.com/Blockstream/esplora/blob/master/API.md */
export type EsploraClient = {
  /** `path` begins with a slash. */
  get(path: string, signal?: AbortSignal): Promise<unknown>
  post(path: string, body: string, signal?: AbortSignal): Promise<string>
}

export type EsploraClientOptions = {
  /** Tried in order. Each request has the query of its URL. */
  readonly endpoints: readonly string[]
  readonly fetch: typeof fetch
  readonly clock: Clock
}

/**
 * Esplora's REST API over several endpoints (spec §7).
 *
 * 1. The next endpoint is tried if one is unreachable, silent for 10 s (spec §9), rate limited (429) or failing (5xx).
 * 2. Any other error status is the chain's response, unless it is an HTML page.
 * 3. Every call settles: by its response, its signal (ABORTED), or the last endpoint's failure.
 * 4. Without any endpoint it fails with TRANSPORT_URL_MISSING (spec §8).
 * 5. NETWORK_UNREACHABLE: no endpoint answers in Esplora's format. `data.status`: HTTP status.
 * 6. If all fail and the last one limits the rate, all are asked once more ({@link orAfterRateLimit}).
 */
export function createEsploraClient({ endpoints, fetch, clock }: EsploraClientOptions): EsploraClient {
  async function askEach<T>(
    path: string,
    init: RequestInit,
    read: (response: Response) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    let lastError: unknown = new Failure('TRANSPORT_URL_MISSING')
    for (const endpoint of endpoints) {
      const limit = deadline(clock, limits.rpcTimeout, signal, () => new Failure('TIMEOUT'))
      try {
        const response = await fetch(join(endpoint, path), { ...init, credentials: 'omit', signal: limit.signal })
        if (response.ok) return await read(response)
        const refusal = response.status !== 429 && response.status < 500 ? await refusalOf(response) : null
        if (refusal !== null) throw new Answer(refusal)
        lastError = unreadable(response, notEsplora)
      } catch (error) {
        if (error instanceof Answer) throw error.failure
        if (signal?.aborted) throw new Failure('ABORTED', { cause: error })
        lastError = asUnreachable(error)
      } finally {
        limit.release()
      }
    }
    throw lastError
  }

  const ask: typeof askEach = (path, init, read, signal) =>
    orAfterRateLimit(() => askEach(path, init, read, signal), clock, signal)

  return {
    get: (path, signal) => ask(path, { method: 'GET' }, readByType, signal),
    post: (path, body, signal) =>
      ask(path, { method: 'POST', body, headers: { 'content-type': 'text/plain' } }, textOf, signal),
  }
}

class Answer extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

async function readByType(response: Response): Promise<unknown> {
  return response.headers.get('content-type')?.includes('json') ? response.json() : textOf(response)
}

async function textOf(response: Response): Promise<string> {
  const text = await response.text()
  if (isPage(text)) throw unreadable(response, notEsplora)
  return text
}

const isPage = (text: string) => text.trimStart().startsWith('<')
const notEsplora = 'The endpoint’s answer is a page, not Esplora’s. Check the URL of the endpoint'

const maxMessageLength = 1_024

async function refusalOf(response: Response): Promise<Failure | null> {
  const text = await response.text().catch(() => '')
  if (isPage(text)) return null
  const message = text === '' ? 'The endpoint refused the request' : text
  return new Failure('INTERNAL', { message: message.slice(0, maxMessageLength), data: { status: response.status } })
}

function join(endpoint: string, path: string): string {
  const [base = '', query] = endpoint.split('?')
  return `${base.replace(/\/+$/, '')}${path}${query === undefined ? '' : `?${query}`}`
}
