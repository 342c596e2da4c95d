import * as z from 'zod/mini'
import { CaipNetworkId, Namespace } from '../caip'
import { BlockExplorer, HttpUrl } from './block-explorer'
import { NativeCurrency } from './native-currency'

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
