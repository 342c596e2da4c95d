/** CoinGecko's HTTP API or a compatible one. Source: https://docs.coingecko.com/reference/simple-price */
import type { CaipNetworkId } from '@postern/protocol'
import { nativeAddressOf } from '@postern/protocol'
import * as z from 'zod/mini'
import { AttemptError, fetchText, UpstreamsFailedError } from '../../../platform/upstreams/attempt'
import { type Asset, assetKey, type PriceSource } from './price'

export type CoinGecko = {
  /** Up to `/api/v3`; its query (a key) is added to each call. */
  readonly url: string
  readonly ids: ReadonlyMap<CaipNetworkId, string>
  readonly platforms: ReadonlyMap<CaipNetworkId, string>
}

/** Source: https://api.coingecko.com/api/v3/asset_platforms */
export const coinGeckoNetworks: readonly (readonly [id: CaipNetworkId, coin: string, platform: string | null])[] = [
  ['eip155:1', 'ethereum', 'ethereum'],
  ['eip155:10', 'ethereum', 'optimistic-ethereum'],
  ['eip155:56', 'binancecoin', 'binance-smart-chain'],
  ['eip155:100', 'xdai', 'xdai'],
  ['eip155:137', 'polygon-ecosystem-token', 'polygon-pos'],
  ['eip155:8453', 'ethereum', 'base'],
  ['eip155:42161', 'ethereum', 'arbitrum-one'],
  ['eip155:42220', 'celo', 'celo'],
  ['eip155:43114', 'avalanche-2', 'avalanche'],
  ['eip155:59144', 'ethereum', 'linea'],
  ['eip155:534352', 'ethereum', 'scroll'],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana', 'solana'],
  ['bip122:000000000019d6689c085ae165831e93', 'bitcoin', null],
]

/** Higher prices would overflow. */
const highest = 1e15
const Answer = z.record(z.string(), z.record(z.string(), z.nullable(z.number().check(z.gte(0), z.lte(highest)))))
/** In ms. */
const timeout = 5_000
const maxResponseBytes = 1_048_576
const addressesAtOnce = 50

/** @throws {UpstreamsFailedError} */
export function createCoinGecko({ url, ids, platforms }: CoinGecko, fetch: typeof globalThis.fetch): PriceSource {
  async function call(path: string, query: Readonly<Record<string, string>>): Promise<z.infer<typeof Answer>> {
    const target = new URL(url)
    target.pathname = `${target.pathname.replace(/\/+$/, '')}/${path}`
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
    try {
      const { response, text } = await fetchText(target.href, {}, timeout, { fetch, maxResponseBytes })
      if (!response.ok) throw new AttemptError(`status ${response.status}`)
      return Answer.parse(JSON.parse(text))
    } catch {
      // The original message may contain the key.
      throw new UpstreamsFailedError('The source of prices did not answer')
    }
  }

  return async (assets, currency) => {
    const natives = assets.filter(({ chainId, address }) => ids.has(chainId) && isNative(chainId, address))
    const tokens = new Map<string, Asset[]>()
    for (const asset of assets) {
      const platform = platforms.get(asset.chainId)
      if (platform === undefined || isNative(asset.chainId, asset.address)) continue
      tokens.set(platform, [...(tokens.get(platform) ?? []), asset])
    }
    const prices = new Map<string, number>()
    const take = (asset: Asset, price: number | null | undefined) => {
      if (price != null) prices.set(assetKey(asset), price)
    }
    const asking: Promise<void>[] = []
    if (natives.length > 0) {
      const wanted = [...new Set(natives.flatMap(({ chainId }) => ids.get(chainId) ?? []))]
      asking.push(
        call('simple/price', { ids: wanted.join(','), vs_currencies: currency }).then((answer) => {
          for (const asset of natives) take(asset, answer[ids.get(asset.chainId) ?? '']?.[currency])
        }),
      )
    }
    for (const [platform, all] of tokens) {
      for (let start = 0; start < all.length; start += addressesAtOnce) {
        const some = all.slice(start, start + addressesAtOnce)
        const query = { contract_addresses: some.map(({ address }) => address).join(','), vs_currencies: currency }
        asking.push(
          call(`simple/token_price/${encodeURIComponent(platform)}`, query).then((answer) => {
            for (const asset of some) {
              take(asset, (answer[asset.address] ?? answer[asset.address.toLowerCase()])?.[currency])
            }
          }),
        )
      }
    }
    await Promise.all(asking)
    return prices
  }
}

function isNative(chainId: CaipNetworkId, address: string): boolean {
  return address.toLowerCase() === nativeAddressOf(chainId).toLowerCase()
}
