import type { Icon } from '@postern/ui/icons'
import { useQuery } from '@tanstack/react-query'
import { useMoney } from '../../view-kit/use-money'
import { reachedBy } from '../portfolio/coverage'
import { Nothing, WaitingLines } from './AccountList'
import { useScopes } from './account-area'

type Words = { readonly title: string; readonly text: string }

type EmptyProps = {
  readonly icon: Icon
  /** Somebody looked, and there is nothing. */
  readonly empty: Words
  /** Nobody could look: the gateway reaches none of the networks that are meant. */
  readonly unlisted: Words
}

/** A list without anything in it. A service that covers a network tells nothing of it in the same words as one that does not (interop §3). */
export function Empty({ icon, empty, unlisted }: EmptyProps) {
  const { api } = useMoney()
  const { scopes } = useScopes()
  const { data: reached, isPending } = useQuery({
    queryKey: ['reached'],
    queryFn: () => reachedBy(api),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (isPending) return <WaitingLines />
  const networks = scopes.flatMap((scope) => scope.networks)
  const isUnlisted =
    reached !== undefined && networks.length > 0 && networks.every(({ caipNetworkId }) => !reached.has(caipNetworkId))
  return <Nothing icon={icon} {...(isUnlisted ? unlisted : empty)} />
}
