import { limits, type Network } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import { useMoney } from '../../view-kit/use-money'
import { keepPortfolio, keptPortfolio } from './kept-portfolio'
import { loadHoldings, type Portfolio, type Scope, scopeKey } from './load-portfolio'

export type ShownPortfolio = {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly portfolio: Portfolio | null
  /** Epoch milliseconds from which a failed one may be asked for again (30 s, spec §9). */
  readonly retryAt: number
  retry(): void
}

/** What an account has on a network: what was known at once, then what is so. */
export function usePortfolio(network: Network, address: string): ShownPortfolio {
  const asksWallet = useAsksWallet()
  return useHoldings([{ address, networks: [network], asksWallet }])
}

/** The embedded wallet lists no tokens that nobody names: it knows less than the service does. */
export function useAsksWallet(): boolean {
  return useSnapshot(({ connections: { eip155 } }) => {
    const type = eip155?.status === 'connected' ? eip155.connector?.type : undefined
    return type !== undefined && type !== 'AUTH' && type !== 'ID_AUTH'
  })
}

/**
 * What accounts have, over networks of theirs.
 *
 * 1. Asked while the modal is open alone. What was known less than 30 s ago is shown as it is, over a reload too; what is older, until the answer is there.
 * 2. Asked anew once money moved; what was known stays on show until then.
 * 3. A failure says so once, and is not followed by another question for 30 s (spec §9), however often the view is come to.
 */
export function useHoldings(scopes: readonly Scope[]): ShownPortfolio {
  const t = useText()
  const money = useMoney()
  const { notify } = useActions()
  const open = useSnapshot((snapshot) => snapshot.open)
  const moves = useSnapshot((snapshot) => snapshot.moves)
  const account = scopes.map(scopeKey).join(' ')
  const queryKey = ['portfolio', account, moves]
  // Read where nothing is known yet, and not with every render.
  const kept = () => (moves === 0 ? keptPortfolio(money, account) : null)
  const client = useQueryClient()
  const before = client.getQueryState(queryKey)
  const mayAsk = before?.status !== 'error' || Date.now() - before.errorUpdatedAt >= limits.tokenBalanceRetryDelay
  const query = useQuery({
    queryKey,
    async queryFn({ signal }) {
      try {
        // Past what a service remembers once for each move, and not every 30 s for the rest of the visit.
        const isFirst = (client.getQueryState(queryKey)?.dataUpdateCount ?? 0) === 0
        const portfolio = await loadHoldings(money, scopes, moves > 0 && isFirst, signal)
        keepPortfolio(money, account, portfolio)
        return portfolio
      } catch (thrown) {
        if (!signal.aborted) notify(t('tokens.failed'), 'bad')
        throw thrown
      }
    },
    enabled: open && mayAsk,
    // Without a network the answer is a failure at once, not silence until there is one.
    networkMode: 'always',
    staleTime: limits.portfolioCache,
    retry: false,
    retryOnMount: mayAsk,
    refetchOnWindowFocus: false,
    placeholderData: (previous: Portfolio | undefined, from) => (from?.queryKey[1] === account ? previous : undefined),
    initialData: () => kept()?.portfolio,
    initialDataUpdatedAt: () => kept()?.at,
  })
  return {
    status: query.data !== undefined ? 'ready' : query.isError && !query.isFetching ? 'failed' : 'loading',
    portfolio: query.data ?? null,
    retryAt: query.errorUpdatedAt + limits.tokenBalanceRetryDelay,
    retry: () => void query.refetch(),
  }
}
