import { Failure } from '@postern/protocol/failure'
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { perHost } from './per-host'

/** One per host, so that a view shows its results again at once. */
export const queryClientOf = perHost(() => {
  // Also while offline, so that a failure shows at once.
  const networkMode = 'always'
  return new QueryClient({
    defaultOptions: { queries: { staleTime: 5 * 60_000, retry, networkMode }, mutations: { networkMode } },
  })
})

/** Once, but not after a timeout: the user has waited long enough. */
function retry(failures: number, thrown: unknown): boolean {
  return failures < 1 && !(thrown instanceof Failure && thrown.code === 'TIMEOUT')
}

/**
 * The newest data under `prefix`. A query under a longer key, since money moved, shows them while it loads and if it
 * fails, unlike `placeholderData`.
 */
export function newestData<Data>(client: QueryClient, prefix: QueryKey): Data | undefined {
  return client.getQueriesData<Data>({ queryKey: prefix }).findLast(([, data]) => data !== undefined)?.[1]
}
