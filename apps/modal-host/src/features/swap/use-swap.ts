/** What the views of a swap read: whose it is, what can be swapped, what there is of it, and what it gives. */

import { loadAdapter } from '@postern/chains/adapters'
import { balanceOf } from '@postern/chains/erc20'
import { type Account, type CaipNetworkId, type Network, nativeTokenAddress } from '@postern/protocol'
import { useLocale } from '@postern/ui/locales/text'
import { useQuery } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { currentNetwork, type Held, heldOf, isEmbedded } from '../../view-kit/held'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { pointOf } from '../../view-kit/typed-decimal'
import { useMoney } from '../../view-kit/use-money'
import { useRested } from '../../view-kit/use-rested'
import { mostOffered, rollupFeeOfSize } from '../rollup-fee'
import { isCarriedOut } from '../transaction/watch'
import { planSwap, quoteOf, type SwapOrder, type SwapPlan } from './plan'
import { isOver, type Quote, type SwapQuestion } from './quote'
import { type SwapFlow, type SwapState, swapFlowOf } from './swap-flow'
import { beginningForm, type SwapForm, type SwapToken, swapTokens } from './tokens'
import { type Asked, heldBackBytes, heldBackGas } from './verdict'

export type Swapper = {
  readonly network: Network
  readonly networkId: CaipNetworkId
  readonly account: Account
  /** CAIP-10. */
  readonly caip10: string
  readonly isEmbedded: boolean
  /** What the wallet is called; null where nobody says. */
  readonly wallet: string | null
}

/** Who swaps, and where; null where nobody is connected. `isSupported`: the gateway swaps on this network. */
export function useSwapper(): { readonly swapper: Swapper; readonly isSupported: boolean } | null {
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const network = useSnapshot(currentNetwork)
  const supported = useSnapshot((snapshot) => snapshot.money.swapChainIds)
  const held = heldOf({ connections, activeNetworkId })
  if (held === null || network === null) return null
  return {
    swapper: swapperOf(held, network),
    isSupported: supported.includes(network.caipNetworkId) && !held.unsupported,
  }
}

function swapperOf(held: Held, network: Network): Swapper {
  const { account } = held
  const networkId = network.caipNetworkId
  return {
    network,
    networkId,
    account,
    caip10: `${networkId}:${account.address}`,
    isEmbedded: isEmbedded(held),
    wallet: held.connector?.name ?? null,
  }
}

export function useSwapFlow(): SwapFlow {
  const money = useMoney()
  return swapFlowOf(useHost(), money)
}

export function useSwapState<T>(select: (state: SwapState) => T): T {
  return useStore(useSwapFlow().store, select)
}

/** The form of this account on this network in this opening: as it was left, or as it begins with what the dapp named. */
export function useSwapForm(
  { caip10 }: Swapper,
  tokens: readonly SwapToken[],
): { readonly form: SwapForm; readonly unknown: readonly string[]; change(form: SwapForm): void } {
  const flow = useSwapFlow()
  const { key, view, swap } = useSnapshot(({ opening }) => opening)
  const point = pointOf(useLocale())
  const scope = `${key} ${caip10}`
  const kept = useSwapState((state) => (state.scope === scope ? state.form : null))
  const sent = useSwapState((state) => state.sent)
  const isDone = useSnapshot(({ transactions }) => isCarriedOut(transactions.find(({ id }) => id === sent)?.status))
  const beginning = beginningForm(view === 'Swap' ? (swap ?? {}) : {}, tokens, point)
  return {
    // What was swapped is not swapped again by a press too many; what came to nothing still stands.
    form: kept === null ? beginning.form : isDone ? { ...kept, text: '' } : kept,
    unknown: kept === null ? beginning.unknown : [],
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

/** Smallest units; null while nobody knows. The chain says it, through the gateway. */
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

/** US dollars by a token's id; a token that nobody prices is not there. */
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

export type HeldBack = {
  /** Wei that a swap and its approval may cost, whatever they turn out to be; null while nobody knows. */
  readonly wei: bigint | null
  /** The network was asked, and does not say. */
  readonly isUnsaid: boolean
  retry(): void
}

export function useHeldBack(networkId: CaipNetworkId): HeldBack {
  const { api, client } = useMoney()
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['swap-gas', networkId],
    async queryFn({ signal }) {
      const [{ fast }, rollup] = await Promise.all([
        api.gasPrices(networkId, signal),
        rollupFeeOfSize(client(networkId), heldBackBytes, heldBackGas, signal),
      ])
      // As text: what is kept is compared by its JSON.
      return `${BigInt(fast) * heldBackGas + mostOffered * rollup}`
    },
    staleTime: 15_000,
  })
  return {
    wei: data === undefined ? null : BigInt(data),
    isUnsaid: data === undefined && isError && !isFetching,
    retry: () => void refetch(),
  }
}

export type ShownQuote = {
  readonly asked: Asked
  /** It takes longer than one is used to. */
  readonly isLate: boolean
  retry(): void
}

/** Milliseconds before a price that could not be renewed is asked for again. */
const soonest = 5_000
/** Milliseconds after which waiting is said to be long. */
const lateAfter = 4_000

/** What is asked for once typing has rested for 500 ms (spec §9), and again when the answer's time is over, while somebody looks. */
export function useQuote(question: SwapQuestion | null): ShownQuote {
  const money = useMoney()
  const key = question === null ? '' : `${question.account} ${question.from.id} ${question.to.id} ${question.amount}`
  const rested = useRested(key)
  const isMeant = question !== null && rested === key
  const query = useQuery({
    queryKey: ['swap-quote', key],
    queryFn: ({ signal }) => (question === null ? null : quoteOf(money, question, signal)),
    enabled: isMeant,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => (data ? Math.max(data.endsAt - money.clock.now(), soonest) : false),
  })
  const isWaiting = isMeant && query.isFetching && query.data === undefined
  const isLate = useRested(isWaiting, lateAfter) && isWaiting
  return {
    asked: isMeant ? askedOf(query, money.clock.now()) : { kind: 'asking' },
    isLate,
    retry: () => void query.refetch(),
  }
}

/** A price that is over and could not be renewed is none. */
function askedOf({ data, isError, isFetching }: Answered, now: number): Asked {
  const hasFailed = isError && !isFetching
  if (data != null && !(hasFailed && isOver(data, now))) return { kind: 'quote', quote: data }
  if (data === null) return { kind: 'noRoute' }
  return { kind: hasFailed ? 'failed' : 'asking' }
}

type Answered = { readonly data: Quote | null | undefined; readonly isError: boolean; readonly isFetching: boolean }

/** What the wallet will be asked for an order: undefined while it is worked out, null where that failed (the confirmation then says why). */
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

/** The network's own currency, as far as a balance of it is asked for. */
export const ownCurrency = { isNative: true, address: nativeTokenAddress } as const
