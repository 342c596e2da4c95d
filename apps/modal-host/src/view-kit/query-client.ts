import { QueryClient } from '@tanstack/react-query'
import { perHost } from './per-host'

/** Per host, so that returning to a view shows results at once. */
export const queryClientOf = perHost(() => {
  // While offline too, so that a failure shows at once.
  const networkMode = 'always'
  return new QueryClient({
    defaultOptions: { queries: { staleTime: 5 * 60_000, retry: 1, networkMode }, mutations: { networkMode } },
  })
})
