import { loadAdapter } from '@postern/chains/adapters'
import { balanceOf } from '@postern/chains/eip155/erc20'
import { type Account, type CaipNetworkId, type Network, nativeTokenAddress } from '@postern/protocol'
import { useLocale } from '@postern/ui/locales/text'
import { useQuery } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { activeAccount, type ConnectedAccount, currentNetwork, isEmbedded } from '../../view-kit/connected-account'
import { decimalSeparator } from '../../view-kit/format/parse-decimal'
import { useHost, useMoney, useSnapshot } from '../../view-kit/host-context'
import { useDebounced } from '../../view-kit/use-debounced'
import { maxFeeFactor, rollupFeeOfSize } from '../rollup-fee'
import { isCarriedOut } from '../transaction/watch'
import { type QuoteState, reservedBytes, reservedGas } from './form-status'
import { planSwap, quoteOf, type SwapOrder, type SwapPlan } from './plan'
import { isExpired, type Quote, type QuoteRequest } from './quote'
import { type SwapFlow, type SwapState, swapFlowOf } from './swap-flow'
import { initialForm, type SwapForm, type SwapToken, swapTokens } from './tokens'

export type Swapper = {
  readonly network: Network
  readonly networkId: CaipNetworkId
  readonly account: Account
  readonly caip10: string
  readonly isEmbedded: boolean
}

/** Null if not connected. `isSupported`: the gateway supports swaps on the active network. */
export function useSwapper(): { readonly swapper: Swapper; readonly isSupported: boolean } | null {
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const network = useSnapshot(currentNetwork)
  const supported = useSnapshot((snapshot) => snapshot.money.swapChainIds)
  const active = activeAccount({ connections, activeNetworkId })
  if (active === null || network === null) return null
  return {
    swapper: swapperOf(active, network),
    isSupported: supported.includes(network.caipNetworkId) && !active.unsupported,
  }
}

function swapperOf(active: ConnectedAccount, network: Network): Swapper {
  const { account } = active
  const networkId = network.caipNetworkId
  return {
    network,
    networkId,
    account,
    caip10: `${networkId}:${account.address}`,
    isEmbedded: isEmbedded(active),
  }
}

export function useSwapFlow(): SwapFlow {
  const money = useMoney()
  return swapFlowOf(useHost(), money)
}

export function useSwapState<T>(select: (state: SwapState) => T): T {
  return useStore(useSwapFlow().store, select)
}

/** The form as left in this opening of the modal, or with the dapp's values. */
export function useSwapForm(
  { caip10 }: Swapper,
  tokens: readonly SwapToken[],
): { readonly form: SwapForm; readonly unknown: readonly string[]; change(form: SwapForm): void } {
  const flow = useSwapFlow()
  const { key, view, swap } = useSnapshot(({ opening }) => opening)
  const point = decimalSeparator(useLocale())
  const scope = `${key} ${caip10}`
  const stored = useSwapState((state) => (state.scope === scope ? state.form : null))
  const sent = useSwapState((state) => state.sent)
  const isDone = useSnapshot(({ transactions }) => isCarriedOut(transactions.find(({ id }) => id === sent)?.status))
  const beginning = initialForm(view === 'Swap' ? (swap ?? {}) : {}, tokens, point)
  return {
    // Cleared after a swap, so that an extra press does not repeat it.
    form: stored === null ? beginning.form : isDone ? { ...stored, text: '' } : stored,
    unknown: stored === null ? beginning.unknown : [],
    change: (form) => flow.setForm(scope, form),
  }
}

export function useSwapTokens({ networkId, network }: Swapper) {
  const { api } = useMoney()
  return useQuery({
    queryKey: ['swap-tokens', networkId],
    queryFn: async ({ signal }) => swapTokens((await api.swapTokens(networkId, signal)).tokens, network),
  })
}

/** In smallest units; null while unknown. */
export function useTokenBalance(
  { networkId, address }: Pick<SwapOrder, 'networkId' | 'address'>,
  token: Pick<SwapToken, 'isNative' | 'address'> | null,
): bigint | null {
  const money = useMoney()
  const moves = useSnapshot((snapshot) => snapshot.moves)
  const { data } = useQuery({
    queryKey: ['swap-balance', networkId, address, token?.address, moves],
    queryFn: async ({ signal }) => {
      if (token === null) return null
      const client = money.client(networkId)
      if (!token.isNative) return balanceOf(client.rpc, token.address, address, signal)
      return (await loadAdapter('eip155')).nativeBalance(client, address, signal)
    },
    enabled: token !== null,
    staleTime: 10_000,
  })
  return data ?? null
}

/** US dollars by token id. */
export function usePrices(tokens: readonly (SwapToken | null)[]): ReadonlyMap<string, number> {
  const { api } = useMoney()
  const ids = tokens.flatMap((token) => token?.id ?? []).sort()
  const { data } = useQuery({
    queryKey: ['swap-prices', ...ids],
    queryFn: async ({ signal }) => {
      const { fungibles } = await api.prices(ids, signal)
      return fungibles.map(({ address, price }) => [address.toLowerCase(), price] as const)
    },
    enabled: ids.length > 0,
    staleTime: 60_000,
    retry: false,
  })
  return new Map(data)
}

export type FeeReserve = {
  /** Max fee of any swap with its approval; null while unknown. */
  readonly wei: bigint | null
  readonly isUnknown: boolean
  retry(): void
}

export function useFeeReserve(networkId: CaipNetworkId): FeeReserve {
  const { api, client } = useMoney()
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['swap-gas', networkId],
    async queryFn({ signal }) {
      const [{ fast }, rollup] = await Promise.all([
        api.gasPrices(networkId, signal),
        rollupFeeOfSize(client(networkId), reservedBytes, reservedGas, signal),
      ])
      // As text: cached data are compared as JSON.
      return `${BigInt(fast) * reservedGas + maxFeeFactor * rollup}`
    },
    staleTime: 15_000,
  })
  return {
    wei: data === undefined ? null : BigInt(data),
    isUnknown: data === undefined && isError && !isFetching,
    retry: () => void refetch(),
  }
}

export type ShownQuote = {
  readonly quoteState: QuoteState
  readonly isLate: boolean
  retry(): void
}

const quoteRetryDelayMs = 5_000
const slowAfterMs = 4_000

/** Requests a quote once typing has paused for 500 ms (spec §9), and again when it expires on screen. */
export function useQuote(question: QuoteRequest | null): ShownQuote {
  const money = useMoney()
  const key = question === null ? '' : `${question.account} ${question.from.id} ${question.to.id} ${question.amount}`
  const debounced = useDebounced(key)
  const isCurrent = question !== null && debounced === key
  const query = useQuery({
    queryKey: ['swap-quote', key],
    queryFn: ({ signal }) => (question === null ? null : quoteOf(money, question, signal)),
    enabled: isCurrent,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data ? Math.max(data.endsAt - money.clock.now(), quoteRetryDelayMs) : false,
  })
  const isWaiting = isCurrent && query.isFetching && query.data === undefined
  const isLate = useDebounced(isWaiting, slowAfterMs) && isWaiting
  return {
    quoteState: isCurrent ? quoteStateOf(query, money.clock.now()) : { kind: 'asking' },
    isLate,
    retry: () => void query.refetch(),
  }
}

/** An expired price that could not be renewed is dropped. */
function quoteStateOf({ data, isError, isFetching }: Answered, now: number): QuoteState {
  const hasFailed = isError && !isFetching
  if (data != null && !(hasFailed && isExpired(data, now))) return { kind: 'quote', quote: data }
  if (data === null) return { kind: 'noRoute' }
  return { kind: hasFailed ? 'failed' : 'asking' }
}

type Answered = { readonly data: Quote | null | undefined; readonly isError: boolean; readonly isFetching: boolean }

/** Undefined while loading; null if it failed (the confirmation reports why). */
export function usePlan(order: SwapOrder): SwapPlan | null | undefined {
  const money = useMoney()
  const { account, from, to, amount, quote } = order
  const { data, isError } = useQuery({
    queryKey: ['swap-plan', account, from.id, to.id, `${amount}`, `${quote.toAmount}`],
    queryFn: ({ signal }) => planSwap(money, order, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return data ?? (isError ? null : undefined)
}

export const ownCurrency = { isNative: true, address: nativeTokenAddress } as const
