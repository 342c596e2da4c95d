import type { Clock } from '@postern/protocol/clock'

/** Undefined ones are omitted, lists joined with commas (interop §2). */
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
