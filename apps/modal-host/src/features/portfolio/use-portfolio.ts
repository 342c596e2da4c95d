import { limits, type Network } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useActions, useMoney, useSnapshot } from '../../view-kit/host-context'
import { newestData } from '../../view-kit/loading/query-client'
import { cachedPortfolio, cachePortfolio } from './cached-portfolio'
import { loadHoldings, type Portfolio, type Scope, scopeKey } from './load-portfolio'

export type ShownPortfolio = {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly portfolio: Portfolio | null
  /** In epoch ms (30 s, spec §9). */
  readonly retryAt: number
  retry(): void
}

export function usePortfolio(network: Network, address: string): ShownPortfolio {
  const mayQueryWallet = useMayQueryWallet()
  return useHoldings([{ address, networks: [network], mayQueryWallet: mayQueryWallet }])
}

/** The embedded wallet lists only tokens asked for by address. */
function useMayQueryWallet(): boolean {
  return useSnapshot(({ connections: { eip155 } }) => {
    const type = eip155?.status === 'connected' ? eip155.connector?.type : undefined
    return type !== undefined && type !== 'AUTH' && type !== 'ID_AUTH'
  })
}

/**
 * The holdings of accounts on their networks.
 *
 * 1. Loads only while the modal is open. A result less than 30 s old is used, also across reloads; an older one is
 *    shown until the new one loads.
 * 2. Reloads after money moved; the old result stays visible, also if that fails.
 * 3. Reports a failure once, and does not retry for 30 s (spec §9).
 */
export function useHoldings(scopes: readonly Scope[]): ShownPortfolio {
  const t = useText()
  const money = useMoney()
  const { notify } = useActions()
  const open = useSnapshot((snapshot) => snapshot.open)
  const moves = useSnapshot((snapshot) => snapshot.moves)
  const account = scopes.map(scopeKey).join(' ')
  const queryKey = ['portfolio', account, moves]
  const cached = () => (moves === 0 ? cachedPortfolio(money, account) : null)
  const client = useQueryClient()
  const before = client.getQueryState(queryKey)
  const mayAsk = before?.status !== 'error' || Date.now() - before.errorUpdatedAt >= limits.tokenBalanceRetryDelay
  const query = useQuery({
    queryKey,
    async queryFn({ signal }) {
      try {
        // Bypasses the service's cache once per move.
        const isFirst = (client.getQueryState(queryKey)?.dataUpdateCount ?? 0) === 0
        const portfolio = await loadHoldings(money, scopes, moves > 0 && isFirst, signal)
        cachePortfolio(money, account, portfolio)
        return portfolio
      } catch (thrown) {
        if (!signal.aborted) notify(t('tokens.failed'), 'bad')
        throw thrown
      }
    },
    enabled: open && mayAsk,
    // Fails at once while offline.
    networkMode: 'always',
    staleTime: limits.portfolioCache,
    retry: false,
    retryOnMount: mayAsk,
    refetchOnWindowFocus: false,
    initialData: () => cached()?.portfolio,
    initialDataUpdatedAt: () => cached()?.at,
  })
  const portfolio = query.data ?? newestData<Portfolio>(client, ['portfolio', account]) ?? null
  return {
    status: portfolio !== null ? 'ready' : query.isError && !query.isFetching ? 'failed' : 'loading',
    portfolio,
    retryAt: query.errorUpdatedAt + limits.tokenBalanceRetryDelay,
    retry: () => void query.refetch(),
  }
}
