import { useQuery } from '@tanstack/react-query'
import { useMoney, useSnapshot } from '../../view-kit/host-context'
import { namespaceFeatures } from '../namespaces/namespaces'
import type { Draft, PreparedTransfer } from './senders/sender'

/** About a block. */
const freshForMs = 12_000

export type TransferQuery = {
  readonly prepared: PreparedTransfer | null
  readonly failed: boolean
  retry(): void
}

/** Refreshed while on screen. */
export function usePreparedTransfer(draft: Draft): TransferQuery {
  const money = useMoney()
  const open = useSnapshot((snapshot) => snapshot.open)
  const moves = useSnapshot((snapshot) => snapshot.moves)
  const { network, account, token, to, amount } = draft
  const subject = `${network.caipNetworkId}:${account.address}:${account.type}:${token.key}`
  // In the review, another transfer's cached data would make the wallet ask for that one.
  const transferKey = amount === null ? subject : `${subject} ${to} ${amount}`
  const query = useQuery({
    queryKey: ['send', transferKey, to, moves],
    queryFn: async ({ signal }) =>
      (await namespaceFeatures[network.chainNamespace].loadSender()).prepare(draft, money, signal),
    enabled: open,
    networkMode: 'always',
    staleTime: freshForMs,
    refetchInterval: freshForMs,
    retry: false,
    // While typing, another recipient's data is close enough.
    placeholderData: (before: PreparedTransfer | undefined, from) =>
      from?.queryKey[1] === transferKey ? before : undefined,
  })
  return {
    prepared: query.data ?? null,
    failed: query.data === undefined && query.isError && !query.isFetching,
    retry: () => void query.refetch(),
  }
}
