import { useQuery } from '@tanstack/react-query'
import { useSnapshot } from '../../view-kit/host-context'
import { useMoney } from '../../view-kit/use-money'
import { loadWay } from './ways/load'
import type { Draft, OpenedDraft } from './ways/way'

/** How long what the chain said of fees and balances counts, in ms: about a block. */
const freshFor = 12_000

export type ShownDraft = {
  readonly opened: OpenedDraft | null
  /** Nobody answered, and nothing is known. */
  readonly failed: boolean
  retry(): void
}

/** What the chain says of a transfer, kept fresh while it is on show. */
export function useOpenedDraft(draft: Draft): ShownDraft {
  const money = useMoney()
  const open = useSnapshot((snapshot) => snapshot.open)
  const moves = useSnapshot((snapshot) => snapshot.moves)
  const { network, account, token, to, amount } = draft
  const subject = `${network.caipNetworkId}:${account.address}:${account.type}:${token.key}`
  // On its last look it is about this transfer alone: what was opened for another one would ask the wallet for that.
  const meant = amount === null ? subject : `${subject} ${to} ${amount}`
  const query = useQuery({
    queryKey: ['send', meant, to, moves],
    queryFn: async ({ signal }) => (await loadWay(network.chainNamespace)).open(draft, money, signal),
    enabled: open,
    networkMode: 'always',
    staleTime: freshFor,
    refetchInterval: freshFor,
    retry: false,
    // While it is typed, what is known of the same token of the same account is nearly right for another recipient, and is replaced in a moment.
    placeholderData: (before: OpenedDraft | undefined, from) => (from?.queryKey[1] === meant ? before : undefined),
  })
  return {
    opened: query.data ?? null,
    failed: query.data === undefined && query.isError && !query.isFetching,
    retry: () => void query.refetch(),
  }
}
