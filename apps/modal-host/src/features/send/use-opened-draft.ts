import { useQuery } from '@tanstack/react-query'
import { useSnapshot } from '../../view-kit/host-context'
import { useMoney } from '../../view-kit/use-money'
import { loadWay } from './ways/load'
import type { Draft, OpenedDraft } from './ways/way'

/** How long the chain's data stay fresh, in ms: about a block. */
const freshFor = 12_000

export type ShownDraft = {
  readonly opened: OpenedDraft | null
  /** The request failed, and nothing is cached. */
  readonly failed: boolean
  retry(): void
}

/** The chain's data for a transfer, refreshed while on show. */
export function useOpenedDraft(draft: Draft): ShownDraft {
  const money = useMoney()
  const open = useSnapshot((snapshot) => snapshot.open)
  const moves = useSnapshot((snapshot) => snapshot.moves)
  const { network, account, token, to, amount } = draft
  const subject = `${network.caipNetworkId}:${account.address}:${account.type}:${token.key}`
  // In the review, cached data of another transfer would ask the wallet for that.
  const meant = amount === null ? subject : `${subject} ${to} ${amount}`
  const query = useQuery({
    queryKey: ['send', meant, to, moves],
    queryFn: async ({ signal }) => (await loadWay(network.chainNamespace)).open(draft, money, signal),
    enabled: open,
    networkMode: 'always',
    staleTime: freshFor,
    refetchInterval: freshFor,
    retry: false,
    // While typing, another recipient's data is close enough.
    placeholderData: (before: OpenedDraft | undefined, from) => (from?.queryKey[1] === meant ? before : undefined),
  })
  return {
    opened: query.data ?? null,
    failed: query.data === undefined && query.isError && !query.isFetching,
    retry: () => void query.refetch(),
  }
}
