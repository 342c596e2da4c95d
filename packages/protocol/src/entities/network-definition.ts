import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { BlockExplorer, HttpUrl, NativeCurrency } from './network'

/** Its endpoints override the defaults. `publicRpcUrls`: for wallets that add the network. */
export const NetworkDefinition = z.strictObject({
  id: CaipNetworkId,
  name: z.string().check(z.minLength(1), z.maxLength(64)),
  nativeCurrency: NativeCurrency,
  rpcUrls: z.optional(z.array(HttpUrl)),
  publicRpcUrls: z.optional(z.array(HttpUrl)),
  blockExplorers: z.optional(z.array(BlockExplorer)),
  testnet: z.optional(z.boolean()),
  imageUrl: z.optional(z.string().check(z.maxLength(65_536))),
  /** A viem chain: its endpoints are used only if the network is not built in. */
  fallback: z.optional(z.literal(true)),
})
export type NetworkDefinition = z.infer<typeof NetworkDefinition>
