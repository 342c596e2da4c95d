/**
 * Token prices: from CoinGecko if it covers the network, otherwise from pools.
 *
 * 1. A price is cached, also a missing one.
 * 2. A failing source or network affects only its own prices, unless no price was found.
 * 3. Built-in pools price only listed tokens.
 */
import { type CaipNetworkId, nativeAddressOf } from '@postern/protocol'
import type { Upstreams } from '../../../platform/upstreams/rpc'
import type { KnownNetwork } from '../account'
import type { PricesConfig } from '../config'
import type { TokenList } from '../tokens'
import { createTtlCache } from '../ttl-cache'
import { createCoinGecko } from './coingecko'
import { type Asset, assetKey, type PriceMap, type PriceSource } from './price'
import { readPoolPrices } from './uniswap'

export type PriceSourceOptions = {
  readonly config: PricesConfig
  readonly networks: ReadonlyMap<CaipNetworkId, KnownNetwork>
  readonly upstreams: Upstreams
  readonly tokens: TokenList
  readonly fetch: typeof globalThis.fetch
  /** Epoch milliseconds. */
  readonly now: () => number
}

const lifetime = 30_000
const maxCached = 20_000

export function createPriceSource(options: PriceSourceOptions): PriceSource {
  const { config, networks, upstreams, tokens, fetch, now } = options
  const coinGecko = config.coingecko === null ? null : createCoinGecko(config.coingecko, fetch)
  const cache = createTtlCache<number | null>(lifetime, maxCached, now)

  function isKnown({ chainId, address }: Asset): boolean {
    return (
      address.toLowerCase() === nativeAddressOf(chainId).toLowerCase() || tokens.find(chainId, address) !== undefined
    )
  }

  async function ofPools(assets: readonly Asset[], currency: string): Promise<PriceMap> {
    if (currency !== 'usd') return new Map()
    const all = new Map<string, number>()
    const asking = [...config.uniswapV2].map(async ([chainId, pools]) => {
      const own = assets.filter((asset) => asset.chainId === chainId && (pools.isListedOnly !== true || isKnown(asset)))
      const network = networks.get(chainId)
      if (own.length === 0 || network === undefined) return
      for (const [key, price] of await readPoolPrices({ upstreams, urls: network.urls }, pools, own))
        all.set(key, price)
    })
    const outcomes = await Promise.allSettled(asking)
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined && all.size === 0) throw failed.reason
    return all
  }

  async function ask(assets: readonly Asset[], currency: string): Promise<PriceMap> {
    if (assets.length === 0) return new Map()
    const outcomes: PromiseSettledResult<PriceMap>[] = []
    let missing = assets
    for (const source of [coinGecko, ofPools]) {
      if (source === null || missing.length === 0) continue
      const [outcome] = await Promise.allSettled([source(missing, currency)])
      outcomes.push(outcome)
      if (outcome.status === 'fulfilled') missing = missing.filter((asset) => !outcome.value.has(assetKey(asset)))
    }
    const priceMap = new Map(outcomes.flatMap((each) => (each.status === 'fulfilled' ? [...each.value] : [])))
    const failed = outcomes.find((each) => each.status === 'rejected')
    if (failed !== undefined && priceMap.size === 0) throw failed.reason
    return priceMap
  }

  return async (assets, currency) => {
    const missing: Asset[] = []
    // Waits until `missing` is complete.
    const asking = Promise.resolve().then(() => ask(missing, currency))
    const prices = await Promise.all(
      assets.map(async (asset) => {
        const key = assetKey(asset)
        const price = await cache.get(`${key} ${currency}`, () => {
          missing.push(asset)
          return asking.then((priceMap) => priceMap.get(key) ?? null)
        })
        return [key, price] as const
      }),
    )
    // Against an unhandled rejection if all prices were cached.
    await asking.catch(() => undefined)
    return new Map(prices.flatMap(([key, price]) => (price === null ? [] : [[key, price] as const])))
  }
}
