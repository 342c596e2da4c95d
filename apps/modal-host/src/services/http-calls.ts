import { limits } from '@postern/protocol'
import { deadline } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import type { HttpClient, HttpClientOptions, Query } from './http-contract'

/** Raised on a status that is not OK, with the words of spec §7. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly body: unknown
  constructor(status: number, body: unknown) {
    super(`HTTP status code: ${status}`)
    this.status = status
    this.body = body
  }
}

/**
 * JSON over fetch. Every call ends within 10 s (spec §9), sooner with its signal. Nothing of the answer is trusted: callers parse it.
 *
 * A `clientId` goes along with every call (spec §7). It is made anew with each page and kept nowhere: it tells which calls are of one page, and not whose.
 */
export function createHttpCalls(
  { fetch, clock, randomId }: Pick<HttpClientOptions, 'fetch' | 'clock' | 'randomId'>,
  url: HttpClient['url'],
): Omit<HttpClient, 'url'> {
  const clientId = randomId()
  async function send<T>(
    method: string,
    path: string,
    read: (response: Response) => Promise<T>,
    { query, body, signal }: { query?: Query; body?: unknown; signal?: AbortSignal } = {},
  ): Promise<T> {
    const limit = deadline(clock, limits.rpcTimeout, signal, () => new Failure('TIMEOUT'))
    try {
      const response = await fetch(url(path, { ...query, clientId }), {
        method,
        signal: limit.signal,
        credentials: 'omit',
        ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
      if (!response.ok) throw new HttpError(response.status, await response.json().catch(() => null))
      return await read(response)
    } finally {
      limit.release()
    }
  }

  const json = (response: Response): Promise<unknown> => response.json()
  return {
    get: (path, options) => send('GET', path, json, options),
    post: (path, options) => send('POST', path, json, options),
    put: (path, options) => send('PUT', path, json, options),
    delete: (path, options) => send('DELETE', path, json, options),
    blob: (path, options) => send('GET', path, (response) => response.blob(), options),
  }
}
