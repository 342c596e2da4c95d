/**
 * Balances of an account, with their value if known (interop §3, spec §5).
 *
 * 1. One network: its native currency first, also at zero, then tokens, most valuable first. An unreachable network is
 *    an error.
 * 2. No network named: all common ones, without zero balances. An unreachable network is left out; if all are, that is
 *    an error.
 * 3. Readings are cached for `limits.nativeBalanceCache` (spec §9), unless the caller asks for fresh ones.
 * 4. Amounts are exact. Without a price, `price` is 0 and `value` absent; a failing price source affects prices only.
 * 5. Each has its listing (`listing.ts`).
 */
import { type CaipNetworkId, limits, nativeAddressOf, type TokenBalance } from '@postern/protocol'
import { formatUnits } from 'viem'
import type { Log } from '../../../platform/log/log'
import type { Upstreams } from '../../../platform/upstreams/rpc'
import type { Esplora } from '../../esplora/upstream'
import type { Account, KnownNetwork } from '../account'
import { namespaceReaders } from '../namespaces'
import { type Asset, assetKey, type PriceMap, type PriceSource, worthOf } from '../prices/price'
import { networksOf } from '../read-account'
import type { TokenList } from '../tokens'
import { createTtlCache } from '../ttl-cache'
import { type Holding, iconOf } from './holding'
import type { ListingOf } from './listing'

export type BalancesOptions = {
  readonly networks: ReadonlyMap<CaipNetworkId, KnownNetwork>
  readonly upstreams: Upstreams
  readonly esplora: Esplora
  readonly tokens: TokenList
  readonly prices: PriceSource
  readonly listingOf: ListingOf
  readonly scanBlocks: number
  readonly hasTokenImage: (symbol: string) => boolean
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

export type BalanceQuestion = {
  readonly chainId?: string | undefined
  /** ISO 4217, lower case. */
  readonly currency: string
  readonly fresh: boolean
}

export type Balances = (account: Account, question: BalanceQuestion) => Promise<TokenBalance[]>

const maxCached = 5_000

export function createBalances(options: BalancesOptions): Balances {
  const { networks, upstreams, esplora, tokens, listingOf, scanBlocks, log, now } = options
  const cache = createTtlCache<Holding[]>(limits.nativeBalanceCache, maxCached, now)

  function read(network: KnownNetwork, address: string): Promise<Holding[]> {
    const chain = { upstreams, urls: network.urls }
    return namespaceReaders[network.namespace].balances(network, address, { chain, esplora, tokens, scanBlocks })
  }

  return async (account, { chainId, currency, fresh }) => {
    const queried = networksOf(networks, account, chainId)
    const readThrough = fresh ? cache.refresh : cache.get
    const outcomes = await Promise.allSettled(
      queried.map((network) => readThrough(`${network.id} ${account.address}`, () => read(network, account.address))),
    )
    const failed = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ chainId: queried[index]?.id, reason: outcome.reason }] : [],
    )
    const [first] = failed
    if (first !== undefined && failed.length === outcomes.length) throw first.reason
    if (failed.length > 0) log.warn({ chainIds: failed.map((each) => each.chainId) }, 'balances left out')
    const holdings = outcomes
      .flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
      .filter(({ amount }) => chainId !== undefined || amount > 0n)
    const prices = await options.prices(holdings.map(assetOf), currency).catch((): PriceMap => {
      log.warn({}, 'prices left out')
      return new Map()
    })
    return inOrder(holdings.map((holding) => describe(holding, prices.get(assetKey(assetOf(holding))))))
  }

  function describe(holding: Holding, price: number | undefined): TokenBalance {
    const { chainId, address, name, symbol, decimals, amount, isListed } = holding
    return {
      name,
      symbol,
      chainId,
      ...(address !== null && { address: `${chainId}:${address}` }),
      ...(price !== undefined && { value: worthOf(amount, decimals, price) }),
      price: price ?? 0,
      quantity: { decimals: `${decimals}`, numeric: formatUnits(amount, decimals) },
      iconUrl: isListed ? iconOf(symbol, options.hasTokenImage) : '',
      listing: listingOf(holding),
    }
  }
}

function assetOf({ chainId, address }: Holding): Asset {
  return { chainId, address: address ?? nativeAddressOf(chainId) }
}

function inOrder(balances: TokenBalance[]): TokenBalance[] {
  return balances.sort(
    (a, b) =>
      Number(b.address === undefined) - Number(a.address === undefined) ||
      (b.value ?? 0) - (a.value ?? 0) ||
      a.symbol.localeCompare(b.symbol, 'en'),
  )
}
