import { QueryClient } from '@tanstack/react-query'
import type { Host } from '../session/contract'

/** What was fetched stays for as long as its host does, so that coming back shows it at once. */
const queryClients = new WeakMap<Host, QueryClient>()

export function queryClientOf(host: Host): QueryClient {
  const known = queryClients.get(host)
  if (known !== undefined) return known
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 5 * 60_000, retry: 1 } } })
  queryClients.set(host, client)
  return client
}
