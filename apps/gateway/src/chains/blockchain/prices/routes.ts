import {
  blockchainAnswers as answers,
  type CaipNetworkId,
  isCaipNetworkId,
  nativeAddressOf,
  PriceQuery,
  type Prices,
} from '@postern/protocol'
import { Hono } from 'hono'
import { type Address, getAddress, isAddress } from 'viem'
import { limitBody } from '../../../platform/http/body-limit'
import { operation, serveOperation } from '../../../platform/http/operation'
import { parseOrThrow } from '../../../platform/http/problem'
import type { Upstreams } from '../../../platform/upstreams/rpc'
import type { CallerEnv } from '../../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../../projects/caller-limit'
import type { KnownNetwork } from '../account'
import { readTokenFacts, type TokenFacts } from '../accounts/evm-tokens'
import { iconOf, shortAddress } from '../accounts/holding'
import { orBadGateway } from '../problems'
import type { TokenList } from '../tokens'
import { type Asset, assetKey, type PriceSource } from './price'

export type PriceRoutesOptions = CallerLimit & {
  readonly networks: ReadonlyMap<CaipNetworkId, KnownNetwork>
  readonly upstreams: Upstreams
  readonly tokens: TokenList
  readonly prices: PriceSource
  readonly hasTokenImage: (symbol: string) => boolean
}

/** In bytes; fits 100 addresses. */
const maxBodyBytes = 32_768
const cost = 5

const tokenPrices = operation({
  method: 'post',
  path: '/v1/fungible/price',
  summary: 'What tokens cost',
  caller: 'project',
  body: PriceQuery,
  response: answers.prices,
})
export const priceOperations = [tokenPrices]

/** Interop §3. */
export function priceRoutes(options: PriceRoutesOptions): Hono<CallerEnv> {
  const take = takeFromCaller(options)
  const app = new Hono<CallerEnv>()
  serveOperation(app, tokenPrices, limitBody(maxBodyBytes), async (context) => {
    const body: unknown = await context.req.json().catch(() => undefined)
    const { currency, addresses } = parseOrThrow(PriceQuery, body)
    take(context, cost)
    const assets = [...new Set(addresses)].flatMap((text) => {
      const asset = readAsset(text)
      return asset === null ? [] : [{ ...asset, text }]
    })
    const prices = await orBadGateway(options.prices(assets, currency))
    const priced = assets.flatMap((asset) => {
      const price = prices.get(assetKey(asset))
      return price === undefined ? [] : [{ asset, price }]
    })
    const names = await orBadGateway(
      nameAll(
        priced.map(({ asset }) => asset),
        options,
      ),
    )
    const answer: Prices = {
      fungibles: priced.map(({ asset, price }, index) => ({
        address: asset.text,
        ...(names[index] ?? { name: '', symbol: '', iconUrl: '' }),
        price,
      })),
    }
    return context.json(answer)
  })
  return app
}

function readAsset(caip10: string): Asset | null {
  const end = caip10.lastIndexOf(':')
  const [chainId, address] = [caip10.slice(0, end), caip10.slice(end + 1)]
  return isCaipNetworkId(chainId) ? { chainId, address } : null
}

type Names = Prices['fungibles'][number]

/** @throws {ChainError | UpstreamsFailedError} */
async function nameAll(
  assets: readonly Asset[],
  { networks, upstreams, tokens, hasTokenImage }: PriceRoutesOptions,
): Promise<Pick<Names, 'name' | 'symbol' | 'iconUrl'>[]> {
  const knownOf = ({ chainId, address }: Asset) => {
    const isNative = address.toLowerCase() === nativeAddressOf(chainId).toLowerCase()
    return isNative ? networks.get(chainId)?.definition.nativeCurrency : tokens.find(chainId, address)
  }
  const unknown = new Map<KnownNetwork, Address[]>()
  for (const asset of assets) {
    const network = networks.get(asset.chainId)
    if (network?.namespace !== 'eip155' || knownOf(asset) !== undefined) continue
    if (!isAddress(asset.address, { strict: false })) continue
    unknown.set(network, [...(unknown.get(network) ?? []), getAddress(asset.address)])
  }
  const facts = new Map<string, TokenFacts | null>()
  const asking = [...unknown].map(async ([{ id, urls }, addresses]) => {
    const tokenFacts = await readTokenFacts({ upstreams, urls }, addresses)
    for (const [index, address] of addresses.entries()) {
      facts.set(assetKey({ chainId: id, address }), tokenFacts[index] ?? null)
    }
  })
  await Promise.all(asking)
  return assets.map((asset) => {
    const known = knownOf(asset)
    if (known !== undefined) {
      return { name: known.name, symbol: known.symbol, iconUrl: iconOf(known.symbol, hasTokenImage) }
    }
    const short = shortAddress(asset.address)
    const { name, symbol } = facts.get(assetKey(asset)) ?? { name: short, symbol: short }
    return { name, symbol, iconUrl: '' }
  })
}
