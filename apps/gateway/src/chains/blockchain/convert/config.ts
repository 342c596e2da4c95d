import { CaipNetworkId, swapChainIds } from '@postern/protocol'
import { type Address, getAddress, isAddress } from 'viem'
import * as z from 'zod/mini'
import { EndpointUrl, NetworkId } from '../../../platform/settings/json-setting'
import { builtInRouters } from './built-in-routers'

export const EvmAddress = z.pipe(
  z.string().check(z.refine((text) => isAddress(text, { strict: false }), 'must be an address')),
  z.transform((text): Address => getAddress(text)),
)

const Token = z.object({
  address: EvmAddress,
  name: z.string().check(z.maxLength(64)),
  symbol: z.string().check(z.maxLength(32)),
  decimals: z.int().check(z.gte(0), z.lte(255)),
})
/** Uniswap V2 or a fork. Default tokens: the network's listed ones. */
const Router = z.object({
  name: z._default(z.string().check(z.minLength(1), z.maxLength(32)), 'Uniswap V2'),
  router: EvmAddress,
  factory: EvmAddress,
  wrapped: EvmAddress,
  tokens: z.optional(z.array(Token)),
})
export type SwapRouter = z.infer<typeof Router>

/** Null disables swaps. */
export const Routers = z.record(NetworkId, z.nullable(Router))

/** Default networks of an aggregator. */
export const aggregatedNetworks = swapChainIds.map((id) => CaipNetworkId.parse(`eip155:${id}`))

export const Aggregator = z.strictObject({
  url: EndpointUrl,
  /** Sent as a bearer token. */
  key: z.string().check(z.regex(/^[\x21-\x7e]{1,512}$/, 'must be 1 to 512 letters, digits or signs, without spaces')),
  name: z._default(z.string().check(z.minLength(1), z.maxLength(32)), '1inch'),
  networks: z._default(z.array(NetworkId), aggregatedNetworks),
})
export type Aggregator = z.infer<typeof Aggregator>

export type SwapsConfig = {
  readonly routers: ReadonlyMap<CaipNetworkId, SwapRouter>
  readonly aggregator: Aggregator | null
}

/**
 * 1. A configured router has precedence; null disables all swaps on its network.
 * 2. An aggregator replaces the built-in router.
 */
export function swapsOf(configured: z.infer<typeof Routers>, aggregator: Aggregator | null): SwapsConfig {
  const own = new Map(Object.entries(configured).map(([id, router]) => [CaipNetworkId.parse(id), router]))
  const networks = (aggregator?.networks ?? []).filter((id) => own.get(id) !== null)
  const routers = new Map<CaipNetworkId, SwapRouter>()
  for (const [id, { router, factory, wrapped }] of builtInRouters) {
    if (!own.has(id) && !networks.includes(id)) routers.set(id, { name: 'Uniswap V2', router, factory, wrapped })
  }
  for (const [id, router] of own) {
    if (router !== null) routers.set(id, router)
  }
  return { routers, aggregator: aggregator === null ? null : { ...aggregator, networks } }
}

export function swapNetworks({ routers, aggregator }: SwapsConfig): ReadonlySet<CaipNetworkId> {
  return new Set([...routers.keys(), ...(aggregator?.networks ?? [])])
}
