import type { Clock } from '@postern/protocol/clock'

/** Values of a query; an absent one is left out, a list is joined with commas (interop §2). */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export type HttpClient = {
  get(path: string, options?: { query?: Query; signal?: AbortSignal }): Promise<unknown>
  post(path: string, options?: { query?: Query; body?: unknown; signal?: AbortSignal }): Promise<unknown>
  put(path: string, options?: { query?: Query; body?: unknown; signal?: AbortSignal }): Promise<unknown>
  delete(path: string, options?: { query?: Query; body?: unknown; signal?: AbortSignal }): Promise<unknown>
  blob(path: string, options?: { query?: Query; signal?: AbortSignal }): Promise<Blob>
  /** The address that `get` would ask, for an `<img>`. */
  url(path: string, query?: Query): string
}

export type HttpClientOptions = {
  readonly fetch: typeof fetch
  readonly clock: Clock
  /** A new unguessable id. */
  readonly randomId: () => string
  /** Origin of the gateway, `''` for the page's own. */
  readonly baseUrl: string
  /** Sent with every call: projectId, st (SDK type), sv (SDK version) (interop §2). */
  readonly identity: () => Query
}
