/** Where the Blockchain API's data comes from: `POSTERN_TOKENS`, `POSTERN_PRICES`, `POSTERN_ENS`, `POSTERN_INDEXERS`, `POSTERN_LOG_BLOCKS`. */
import { CaipNetworkId } from '@postern/protocol'
import { type Address, getAddress, isAddress } from 'viem'
import * as z from 'zod/mini'
import { type CoinGecko, coinGeckoNetworks } from './prices/coingecko'
import type { Pools } from './prices/uniswap'
import { KnownToken } from './tokens'

export type PricesConfig = {
  /** Null: not asked. */
  readonly coingecko: CoinGecko | null
  readonly uniswapV2: ReadonlyMap<CaipNetworkId, Pools>
}

type EnsConfig = { readonly network: CaipNetworkId; readonly universalResolver: Address }

export type BlockchainConfig = {
  readonly tokens: readonly KnownToken[]
  readonly prices: PricesConfig
  readonly ens: EnsConfig
  /** Etherscan's API by network. The URLs stay with the gateway and may hold keys. */
  readonly indexers: ReadonlyMap<CaipNetworkId, string>
  /** Of the newest blocks: how many are looked through for tokens that no list knows. */
  readonly logBlocks: number
}

/** ENS's universal resolver of Ethereum. Source: https://docs.ens.domains/resolvers/universal */
const ethereumNames: EnsConfig = {
  network: 'eip155:1',
  universalResolver: '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe',
}
const defaultLogBlocks = 10_000

export const noBlockchain: BlockchainConfig = {
  tokens: [],
  prices: { coingecko: null, uniswapV2: new Map() },
  ens: ethereumNames,
  indexers: new Map(),
  logBlocks: defaultLogBlocks,
}

const EvmAddress = z.pipe(
  z.string().check(z.refine((text) => isAddress(text, { strict: false }), 'must be an address')),
  z.transform((text): Address => getAddress(text)),
)
const HttpUrl = z
  .url({ protocol: /^https?$/ })
  .check(z.refine((url) => new URL(url).username === '' && new URL(url).password === '', 'must have no user:password@'))
const Prices = z.strictObject({
  coingecko: z.optional(
    z.strictObject({
      url: HttpUrl,
      ids: z.optional(z.record(CaipNetworkId, z.string())),
      platforms: z.optional(z.record(CaipNetworkId, z.string())),
    }),
  ),
  uniswapV2: z.optional(
    z.record(CaipNetworkId, z.strictObject({ factory: EvmAddress, wrapped: EvmAddress, dollar: EvmAddress })),
  ),
})
const Ens = z.object({ network: CaipNetworkId, universalResolver: EvmAddress })
const Indexers = z.record(CaipNetworkId, HttpUrl)
const LogBlocks = z.string().check(z.regex(/^\d{1,7}$/, 'must be a whole number'))

type Variables = Readonly<Record<string, string | undefined>>

/** @param problems takes one line for each variable that is wrong. */
export function readBlockchain(env: Variables, problems: string[]): BlockchainConfig {
  const read = <T>(name: string, schema: z.ZodMiniType<T>, otherwise: T): T => {
    const text = env[name]
    if (text === undefined) return otherwise
    const parsed = schema.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    // Of what it holds nothing is repeated: URLs may have keys in them.
    problems.push(`${name} is not right at ${issue?.path.join('.') || 'its beginning'}: ${issue?.message}`)
    return otherwise
  }
  const prices = read('POSTERN_PRICES', Prices, {})
  const blocks = LogBlocks.safeParse(env.POSTERN_LOG_BLOCKS ?? `${defaultLogBlocks}`)
  if (!blocks.success) problems.push('POSTERN_LOG_BLOCKS must be a whole number')
  return {
    tokens: read('POSTERN_TOKENS', z.array(KnownToken), []),
    prices: {
      coingecko: prices.coingecko === undefined ? null : withKnown(prices.coingecko),
      uniswapV2: byNetwork(prices.uniswapV2 ?? {}),
    },
    ens: read('POSTERN_ENS', Ens, ethereumNames),
    indexers: byNetwork(read('POSTERN_INDEXERS', Indexers, {})),
    logBlocks: blocks.success ? Number(blocks.data) : defaultLogBlocks,
  }
}

function withKnown({ url, ids = {}, platforms = {} }: NonNullable<z.infer<typeof Prices>['coingecko']>): CoinGecko {
  const known = coinGeckoNetworks.flatMap(([id, , platform]) => (platform === null ? [] : [[id, platform] as const]))
  return {
    url,
    ids: new Map([...coinGeckoNetworks.map(([id, coin]) => [id, coin] as const), ...byNetwork(ids)]),
    platforms: new Map([...known, ...byNetwork(platforms)]),
  }
}

function byNetwork<T>(record: Readonly<Record<string, T>>): ReadonlyMap<CaipNetworkId, T> {
  return new Map(Object.entries(record).map(([id, value]) => [CaipNetworkId.parse(id), value]))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
