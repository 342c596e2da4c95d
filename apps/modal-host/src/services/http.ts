import { lazily } from '@postern/protocol/lazily'
import type { HttpClient, HttpClientOptions, Query } from './http-contract'

export type { HttpClient } from './http-contract'

/** Loads its code with the first call. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { baseUrl, identity } = options
  function url(path: string, query: Query = {}): string {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...query, ...identity() }))
      if (value !== undefined) search.set(name, Array.isArray(value) ? value.join(',') : String(value))
    return `${baseUrl}${path}?${search}`
  }

  const calls = lazily(async () => (await import('./http-calls')).createHttpCalls(options, url))
  return {
    url,
    get: async (path, given) => (await calls()).get(path, given),
    post: async (path, given) => (await calls()).post(path, given),
    put: async (path, given) => (await calls()).put(path, given),
    delete: async (path, given) => (await calls()).delete(path, given),
    blob: async (path, given) => (await calls()).blob(path, given),
  }
}
