import * as z from 'zod/mini'
import { CaipNetworkId, Namespace } from '../caip'

export const HttpUrl = z.url({ protocol: /^https?$/ })
export const BlockExplorer = z.strictObject({ name: z.string(), url: HttpUrl })

export const NativeCurrency = z.strictObject({
  name: z.string(),
  symbol: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(255)),
})
export type NativeCurrency = z.infer<typeof NativeCurrency>

/** Spec §3. `id`: CAIP-2 reference, a number on EVM. */
export const Network = z.strictObject({
  id: z.union([z.int(), z.string()]),
  name: z.string(),
  chainNamespace: Namespace,
  caipNetworkId: CaipNetworkId,
  nativeCurrency: NativeCurrency,
  rpcUrls: z.array(HttpUrl),
  blockExplorers: z.array(BlockExplorer),
  testnet: z.boolean(),
  deprecatedCaipNetworkId: z.optional(CaipNetworkId),
  assets: z.optional(z.strictObject({ imageId: z.optional(z.string()), imageUrl: z.optional(z.string()) })),
})
export type Network = z.infer<typeof Network>
