import { type CaipNetworkId, isCaipNetworkId, PriceQuery, type Prices } from '@postern/protocol'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { getAddress, isAddress } from 'viem'
import type { CallerEnv } from '../../http/caller'
import { parseOrThrow, problem } from '../../http/problem'
import { callerKey, type RateLimit, takeOrThrow } from '../../http/rate-limit'
import type { Upstreams } from '../../rpc/upstream'
import type { KnownNetwork } from '../account'
import { iconOf } from '../accounts/balances'
import { readTokenFacts } from '../accounts/evm-tokens'
import { shortAddress } from '../accounts/holding'
import { orBadGateway } from '../problems'
import { nativeAddressOf, type TokenList } from '../tokens'
import { type Asset, assetKey, type PriceSource } from './price'

export type PriceRoutesOptions = {
  readonly networks: ReadonlyMap<CaipNetworkId, KnownNetwork>
  readonly upstreams: Upstreams
  readonly tokens: TokenList
  readonly prices: PriceSource
  readonly hasTokenImage: (symbol: string) => boolean
  readonly rpcLimit: RateLimit
  readonly clientAddress: (context: Context) => string
}

/** Bytes: a hundred addresses and room. */
const longestBody = 32_768
const cost = 5

/** `POST /v1/fungible/price` (interop §3): a token whose price nobody knows is left out. */
export function priceRoutes(options: PriceRoutesOptions): Hono<CallerEnv> {
  const limit = bodyLimit({
    maxSize: longestBody,
    onError: () => {
      throw problem(413, 'body', `The body is over ${longestBody} bytes`)
    },
  })
  return new Hono<CallerEnv>().post('/v1/fungible/price', limit, async (context) => {
    const body: unknown = await context.req.json().catch(() => undefined)
    const { currency, addresses } = parseOrThrow(PriceQuery, body)
    takeOrThrow(options.rpcLimit, callerKey(context.get('project').id, options.clientAddress(context)), cost)
    const assets = [...new Set(addresses)].flatMap((written) => {
      const asset = readAsset(written)
      return asset === null ? [] : [{ ...asset, written }]
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
        address: asset.written,
        ...(names[index] ?? { name: '', symbol: '', iconUrl: '' }),
        price,
      })),
    }
    return context.json(answer)
  })
}

function readAsset(caip10: string): Asset | null {
  const end = caip10.lastIndexOf(':')
  const [chainId, address] = [caip10.slice(0, end), caip10.slice(end + 1)]
  return isCaipNetworkId(chainId) ? { chainId, address } : null
}

type Names = Prices['fungibles'][number]

async function nameAll(
  assets: readonly Asset[],
  { networks, upstreams, tokens, hasTokenImage }: PriceRoutesOptions,
): Promise<Pick<Names, 'name' | 'symbol' | 'iconUrl'>[]> {
  return Promise.all(
    assets.map(async ({ chainId, address }) => {
      const network = networks.get(chainId)
      const isNative = address.toLowerCase() === nativeAddressOf(chainId).toLowerCase()
      const known = isNative ? network?.definition.nativeCurrency : tokens.find(chainId, address)
      if (known !== undefined) {
        return { name: known.name, symbol: known.symbol, iconUrl: iconOf(known.symbol, hasTokenImage) }
      }
      const short = { name: shortAddress(address), symbol: shortAddress(address), iconUrl: '' }
      if (network?.namespace !== 'eip155' || !isAddress(address, { strict: false })) return short
      const [facts] = await readTokenFacts({ upstreams, urls: network.urls }, [getAddress(address)])
      return facts == null ? short : { name: facts.name, symbol: facts.symbol, iconUrl: '' }
    }),
  )
}
