/** Configuration of the Blockchain API. */
import { CaipNetworkId } from '@postern/protocol'
import { type Address, isAddress } from 'viem'
import * as z from 'zod/mini'
import { EndpointUrl, NetworkId, readJsonSetting } from '../../platform/settings/json-setting'
import { builtInRouters } from './convert/built-in-routers'
import { Aggregator, EvmAddress, Routers, type SwapsConfig, swapsOf } from './convert/config'
import { type HostedConfig, readHosted } from './hosted/config'
import { readNameSuffix } from './names/config'
import { type OnRampConfig, readOnRamp } from './onramp/config'
import { type CoinGecko, coinGeckoNetworks } from './prices/coingecko'
import type { Pools } from './prices/uniswap'
import { KnownToken } from './tokens'

export type PricesConfig = {
  readonly coingecko: CoinGecko | null
  readonly uniswapV2: ReadonlyMap<CaipNetworkId, Pools>
}

export type EnsConfig = {
  readonly network: CaipNetworkId
  readonly universalResolver: Address
  /** Off-chain name servers (EIP-3668); `own`: the operator's base URL with a trailing slash. */
  readonly servers: { readonly own: string | null } | null
}

export type BlockchainConfig = {
  readonly tokens: readonly KnownToken[]
  readonly prices: PricesConfig
  readonly ens: EnsConfig
  /** Etherscan-compatible. The URLs may contain keys. */
  readonly indexers: ReadonlyMap<CaipNetworkId, string>
  /** Digital Asset Standard nodes. The URLs may contain keys. */
  readonly das: ReadonlyMap<CaipNetworkId, string>
  /** Newest blocks to scan for unlisted tokens. */
  readonly logBlocks: number
  readonly swaps: SwapsConfig
  readonly onramp: OnRampConfig | null
  /** With its dot. */
  readonly nameSuffix: string | null
  /** Without a trailing slash. */
  readonly ipfs: string | null
  readonly hosted: HostedConfig | null
}

/** Source: https://docs.ens.domains/resolvers/universal */
const ethereumNames: EnsConfig = {
  network: 'eip155:1',
  universalResolver: '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe',
  servers: { own: null },
}
const defaultLogBlocks = 10_000

const Prices = z.strictObject({
  coingecko: z.optional(
    z.strictObject({
      url: EndpointUrl,
      ids: z.optional(z.record(NetworkId, z.string())),
      platforms: z.optional(z.record(NetworkId, z.string())),
    }),
  ),
  uniswapV2: z.optional(
    z.record(NetworkId, z.nullable(z.strictObject({ factory: EvmAddress, wrapped: EvmAddress, dollar: EvmAddress }))),
  ),
})
const Ens = z.pipe(
  z.object({ network: NetworkId, universalResolver: EvmAddress, servers: z.optional(z.nullable(EndpointUrl)) }),
  z.transform(({ network, universalResolver, servers }): EnsConfig => {
    const own = servers == null ? null : new URL(`${servers.replace(/\/+$/, '')}/`).href
    return { network, universalResolver, servers: servers === null ? null : { own } }
  }),
)
const Indexers = z.record(NetworkId, EndpointUrl)
const SolanaNodes = z.record(
  NetworkId.check(z.refine((id) => id.startsWith('solana:'), 'must be a network of Solana')),
  EndpointUrl,
)
const Token = z
  .extend(KnownToken, { chainId: NetworkId })
  .check(z.refine(isOnNetwork, { path: ['address'], error: 'must be an address on that network' }))

function isOnNetwork({ chainId, address }: KnownToken): boolean {
  if (chainId.startsWith('solana:')) return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)
  return isAddress(address, { strict: false })
}

const LogBlocks = z.string().check(z.regex(/^\d{1,7}$/, 'must be a whole number'))

type Variables = Readonly<Record<string, string | undefined>>

/** @param problems one line per invalid variable. */
export function readBlockchain(env: Variables, problems: string[]): BlockchainConfig {
  const read = <T>(name: string, schema: z.ZodMiniType<T>, otherwise: T): T =>
    readJsonSetting(name, schema, env[name], problems) ?? otherwise
  const prices = read('POSTERN_PRICES', Prices, {})
  const blocks = LogBlocks.safeParse(env.POSTERN_LOG_BLOCKS ?? `${defaultLogBlocks}`)
  if (!blocks.success) problems.push('POSTERN_LOG_BLOCKS must be a whole number')
  const ipfs = z.optional(EndpointUrl).safeParse(env.POSTERN_IPFS)
  if (!ipfs.success) problems.push('POSTERN_IPFS must be an http or https URL without user:password@')
  return {
    tokens: read('POSTERN_TOKENS', z.array(Token), []),
    prices: {
      coingecko: prices.coingecko === undefined ? null : withKnown(prices.coingecko),
      uniswapV2: poolsOf(prices.uniswapV2 ?? {}),
    },
    ens: read('POSTERN_ENS', Ens, ethereumNames),
    indexers: byNetwork(read('POSTERN_INDEXERS', Indexers, {})),
    das: byNetwork(read('POSTERN_DAS', SolanaNodes, {})),
    logBlocks: blocks.success ? Number(blocks.data) : defaultLogBlocks,
    swaps: swapsOf(read('POSTERN_SWAPS', Routers, {}), read<Aggregator | null>('POSTERN_SWAP_API', Aggregator, null)),
    onramp: readOnRamp(env.POSTERN_ONRAMP, env.NODE_ENV === 'production', problems),
    nameSuffix: readNameSuffix(env.POSTERN_NAMES, problems),
    ipfs: ipfs.data?.replace(/\/+$/, '') ?? null,
    hosted: readHosted(env, problems),
  }
}

/** Anyone can create a pool for their own token, so built-in pools price only listed tokens. */
function poolsOf(configured: NonNullable<z.infer<typeof Prices>['uniswapV2']>): PricesConfig['uniswapV2'] {
  const own = byNetwork(configured)
  const builtIn = [...builtInRouters].map(([id, { factory, wrapped, dollar }]) => {
    return [id, { factory, wrapped, dollar, isListedOnly: true }] as const
  })
  return new Map<CaipNetworkId, Pools>(
    [...builtIn, ...[...own].flatMap(([id, pools]) => (pools === null ? [] : [[id, pools] as const]))].filter(
      ([id]) => own.get(id) !== null,
    ),
  )
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
