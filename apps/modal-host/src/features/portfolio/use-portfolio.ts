import { limits, type Network } from '@postern/protocol'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSnapshot } from '../../views/host-context'
import { useMoney } from '../use-money'
import { keepPortfolio, keptPortfolio } from './kept-portfolio'
import { loadPortfolio, type Portfolio } from './load-portfolio'

export type ShownPortfolio = {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly portfolio: Portfolio | null
  /** Epoch milliseconds from which a failed one may be asked for again (30 s, spec §9). */
  readonly retryAt: number
  retry(): void
}

/** What an account has on a network: what was known at once, then what is so. Asked anew once money moved. */
export function usePortfolio(network: Network, address: string): ShownPortfolio {
  const money = useMoney()
  const moves = useSnapshot((snapshot) => snapshot.moves)
  const account = `${network.caipNetworkId}:${address}`
  const known = keptPortfolio(money, account)
  const query = useQuery({
    queryKey: ['portfolio', account, moves],
    async queryFn({ signal }) {
      const portfolio = await loadPortfolio(money, { network, address, fresh: moves > 0 }, signal)
      keepPortfolio(money, account, portfolio)
      return portfolio
    },
    staleTime: limits.portfolioCache,
    retry: false,
    placeholderData: keepPreviousData,
    ...(known !== null && moves === 0 && { initialData: known.portfolio, initialDataUpdatedAt: known.at }),
  })
  return {
    status: query.data !== undefined ? 'ready' : query.isError && !query.isFetching ? 'failed' : 'loading',
    portfolio: query.data ?? null,
    retryAt: query.errorUpdatedAt + limits.tokenBalanceRetryDelay,
    retry: () => void query.refetch(),
  }
}
