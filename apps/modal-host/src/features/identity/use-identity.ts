import { limits } from '@postern/protocol'
import { useQuery } from '@tanstack/react-query'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { loadIdentity, mayHaveName, noIdentity, type ShownIdentity } from './load-identity'

/** On the active network; empty while unknown. Loads only while the modal is open. */
export function useIdentity(address: string): ShownIdentity {
  const host = useHost()
  const open = useSnapshot((snapshot) => snapshot.open)
  const chainId = useSnapshot(({ activeNetworkId }) => activeNetworkId ?? undefined)
  const { data } = useQuery(
    {
      queryKey: ['identity', address.toLowerCase(), chainId],
      queryFn: async ({ signal }) => loadIdentity(await host.money(), { address, chainId }, signal),
      enabled: open && mayHaveName(address),
      networkMode: 'always',
      staleTime: limits.identityCache,
      retry: false,
      refetchOnWindowFocus: false,
    },
    queryClientOf(host),
  )
  return data ?? noIdentity
}
