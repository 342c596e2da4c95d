/** The entities of spec §3 that the modal's first file has no use for. */
import * as z from 'zod/mini'
import { CaipNetworkId, Namespace } from './caip'
import { BlockExplorer, ConnectorType, HttpUrl, NativeCurrency } from './entities'

/** Network of spec §3. `id` is the reference in its namespace: a number on EVM. */
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

/** Connector (spec §3): one way to reach a wallet. `chain` is the namespace it serves. */
export const Connector = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  name: z.string(),
  type: ConnectorType,
  chain: Namespace,
  imageId: z.optional(z.string()),
})
export type Connector = z.infer<typeof Connector>

/** Recent wallet (spec §3): enough to find its row again. */
export const RecentWallet = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  rdns: z.optional(z.string().check(z.maxLength(256))),
  name: z.string().check(z.maxLength(256)),
})
export type RecentWallet = z.infer<typeof RecentWallet>

/** Wallet info (spec §3): what is told of the wallet that is connected. `social` is set for a social sign-in. */
export const WalletInfo = z.strictObject({
  name: z.string(),
  icon: z.optional(z.string()),
  identifier: z.optional(z.string()),
  social: z.optional(z.string()),
})
export type WalletInfo = z.infer<typeof WalletInfo>

/** Session event of WalletConnect (spec §3). */
export const SessionEvent = z.object({
  id: z.union([z.int(), z.string()]),
  topic: z.string(),
  params: z.object({
    chainId: CaipNetworkId,
    event: z.object({ name: z.string(), data: z.optional(z.unknown()) }),
  }),
})
export type SessionEvent = z.infer<typeof SessionEvent>
