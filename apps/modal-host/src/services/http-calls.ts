import { limits } from '@postern/protocol'
import { deadline } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import type { HttpClient, HttpClientOptions, Query } from './http-contract'

/** A status that is not OK, with the message of spec §7. */
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
 * JSON over fetch, within 10 s (spec §9). Callers parse the untrusted responses.
 *
 * `clientId` (spec §7) is new per page load and stored nowhere: it groups the calls of a page without identifying the
 * user.
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
