import { Failure } from '@postern/protocol/failure'
import { QueryClient } from '@tanstack/react-query'
import { perHost } from './per-host'

/** One client per host, so that a view shows its results again at once. */
export const queryClientOf = perHost(() => {
  // Also while offline, so that a failure shows at once.
  const networkMode = 'always'
  return new QueryClient({
    defaultOptions: { queries: { staleTime: 5 * 60_000, retry, networkMode }, mutations: { networkMode } },
  })
})

/** Retries once, but not after a timeout: the user has waited long enough. */
function retry(failures: number, thrown: unknown): boolean {
  return failures < 1 && !(thrown instanceof Failure && thrown.code === 'TIMEOUT')
}
