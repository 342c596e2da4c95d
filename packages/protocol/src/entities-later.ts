/** Entities of spec §3 outside the modal's first chunk. */
import * as z from 'zod/mini'
import { CaipNetworkId, Namespace } from './caip'
import { BlockExplorer, ConnectorType, HttpUrl, NativeCurrency } from './entities'

/** See spec §3. `id`: reference in the namespace, a number on EVM. */
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

/** See spec §3. `chain`: its namespace. */
export const Connector = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  name: z.string(),
  type: ConnectorType,
  chain: Namespace,
  imageId: z.optional(z.string()),
})
export type Connector = z.infer<typeof Connector>

/** See spec §3. */
export const RecentWallet = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  rdns: z.optional(z.string().check(z.maxLength(256))),
  name: z.string().check(z.maxLength(256)),
})
export type RecentWallet = z.infer<typeof RecentWallet>

/** See spec §3. `social` is set after social sign-in. */
export const WalletInfo = z.strictObject({
  name: z.string(),
  icon: z.optional(z.string()),
  identifier: z.optional(z.string()),
  social: z.optional(z.string()),
})
export type WalletInfo = z.infer<typeof WalletInfo>

/** WalletConnect (spec §3). */
export const SessionEvent = z.object({
  id: z.union([z.int(), z.string()]),
  topic: z.string(),
  params: z.object({
    chainId: CaipNetworkId,
    event: z.object({ name: z.string(), data: z.optional(z.unknown()) }),
  }),
})
export type SessionEvent = z.infer<typeof SessionEvent>
