import { QueryClient } from '@tanstack/react-query'
import { perHost } from './per-host'

/** What was fetched stays for as long as its host does, so that coming back shows it at once. */
export const queryClientOf = perHost(() => {
  // Asked without a network too: what cannot be reached says so, and nothing waits in silence for a cable.
  const networkMode = 'always'
  return new QueryClient({
    defaultOptions: { queries: { staleTime: 5 * 60_000, retry: 1, networkMode }, mutations: { networkMode } },
  })
})
