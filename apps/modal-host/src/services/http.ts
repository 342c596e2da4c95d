import { type Clock, deadline } from '@postern/base/clock'
import { limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'

/** Undefined values are omitted, lists joined with commas (interop §2). */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export type HttpClient = {
  get(path: string, options?: { query?: Query; signal?: AbortSignal }): Promise<unknown>
  post(path: string, options?: { query?: Query; body?: unknown; signal?: AbortSignal }): Promise<unknown>
  put(path: string, options?: { query?: Query; body?: unknown; signal?: AbortSignal }): Promise<unknown>
  delete(path: string, options?: { query?: Query; body?: unknown; signal?: AbortSignal }): Promise<unknown>
  blob(path: string, options?: { query?: Query; signal?: AbortSignal }): Promise<Blob>
  url(path: string, query?: Query): string
}

export type HttpClientOptions = {
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly randomId: () => string
  /** `''` for the page's own origin. */
  readonly baseUrl: string
  /** projectId, st (SDK type), sv (SDK version), sent with every call (interop §2). */
  readonly identity: () => Query
}

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
 * JSON over fetch, within 10 s (spec §9). Callers parse the responses. `clientId` (spec §7), new per page load and
 * stored nowhere, groups a page's calls without identifying the user.
 */
export function createHttpClient({ fetch, clock, randomId, baseUrl, identity }: HttpClientOptions): HttpClient {
  const clientId = randomId()
  function url(path: string, query: Query = {}): string {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...query, ...identity() }))
      if (value !== undefined) search.set(name, Array.isArray(value) ? value.join(',') : String(value))
    return `${baseUrl}${path}?${search}`
  }

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
    url,
    get: (path, options) => send('GET', path, json, options),
    post: (path, options) => send('POST', path, json, options),
    put: (path, options) => send('PUT', path, json, options),
    delete: (path, options) => send('DELETE', path, json, options),
    blob: (path, options) => send('GET', path, (response) => response.blob(), options),
  }
}
