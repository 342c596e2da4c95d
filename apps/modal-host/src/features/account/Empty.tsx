import type { Icon } from '@postern/ui/icons'
import { useQuery } from '@tanstack/react-query'
import { useMoney } from '../../view-kit/host-context'
import { supportedChainIds } from '../portfolio/coverage'
import { EmptyList, ListSkeleton } from './AccountList'
import { useScopes } from './account-state'

type Words = { readonly title: string; readonly text: string }

type EmptyProps = {
  readonly icon: Icon
  readonly empty: Words
  /** The gateway supports none of the networks. */
  readonly unlisted: Words
}

/** An empty response does not show whether the service covers the network (interop §3). */
export function Empty({ icon, empty, unlisted }: EmptyProps) {
  const { api } = useMoney()
  const { scopes } = useScopes()
  const { data: reached, isPending } = useQuery({
    queryKey: ['reached'],
    queryFn: () => supportedChainIds(api),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (isPending) return <ListSkeleton />
  const networks = scopes.flatMap((scope) => scope.networks)
  const isUnlisted =
    reached !== undefined && networks.length > 0 && networks.every(({ caipNetworkId }) => !reached.has(caipNetworkId))
  return <EmptyList icon={icon} {...(isUnlisted ? unlisted : empty)} />
}
