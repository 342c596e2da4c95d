/** Entities of spec §3 in the modal's first chunk; the rest is in entities-later.ts. */
import * as z from 'zod/mini'
import { CaipNetworkId, Namespace } from './caip'

/**
 * eoa and smartAccount on EVM, eoa on Solana, payment on Bitcoin (spec §6). `ordinals`: kept separate so that its
 * outputs are not spent as money.
 */
export const AccountType = z.enum(['eoa', 'payment', 'smartAccount', 'ordinals'])
export type AccountType = z.infer<typeof AccountType>

export const Account = z.strictObject({
  namespace: Namespace,
  /** In the namespace's format: EIP-55 on EVM. */
  address: z.string().check(z.minLength(1), z.maxLength(128)),
  type: AccountType,
  publicKey: z.optional(z.string()),
  path: z.optional(z.string()),
})
export type Account = z.infer<typeof Account>

export const ConnectorType = z.enum([
  'EXTERNAL',
  'WALLET_CONNECT',
  'INJECTED',
  'ANNOUNCED',
  'AUTH',
  'MULTI_CHAIN',
  'ID_AUTH',
])
export type ConnectorType = z.infer<typeof ConnectorType>

export const NativeCurrency = z.strictObject({
  name: z.string(),
  symbol: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(255)),
})
export type NativeCurrency = z.infer<typeof NativeCurrency>

export const HttpUrl = z.url({ protocol: /^https?$/ })
export const BlockExplorer = z.strictObject({ name: z.string(), url: HttpUrl })

/** Defined by the dapp, by CAIP-2 id. Its endpoints override the defaults. */
export const NetworkDefinition = z.strictObject({
  id: CaipNetworkId,
  name: z.string().check(z.minLength(1), z.maxLength(64)),
  nativeCurrency: NativeCurrency,
  rpcUrls: z.optional(z.array(HttpUrl)),
  blockExplorers: z.optional(z.array(BlockExplorer)),
  testnet: z.optional(z.boolean()),
  imageUrl: z.optional(z.string().check(z.maxLength(65_536))),
})
export type NetworkDefinition = z.infer<typeof NetworkDefinition>

/** Absent and null both mean none. */
const WalletLink = z.optional(z.nullable(z.string().check(z.maxLength(2048))))

/** See spec §3, in the directory's wire format (`GET /getWallets`). */
export const WalletEntry = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(128)),
  name: z.string().check(z.minLength(1), z.maxLength(128)),
  homepage: WalletLink,
  image_id: z.optional(z.nullable(z.string().check(z.maxLength(128)))),
  image_url: WalletLink,
  order: z.optional(z.nullable(z.number())),
  /** CAIP-2 ids. */
  chains: z.optional(z.nullable(z.array(z.string()))),
  rdns: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
  badge_type: z.optional(z.nullable(z.enum(['none', 'certified']))),
  mobile_link: WalletLink,
  desktop_link: WalletLink,
  webapp_link: WalletLink,
  link_mode: WalletLink,
  app_store: WalletLink,
  play_store: WalletLink,
  chrome_store: WalletLink,
  injected: z.optional(
    z.nullable(z.array(z.object({ namespace: z.optional(z.string()), injected_id: z.optional(z.string()) }))),
  ),
})
export type WalletEntry = z.infer<typeof WalletEntry>

/**
 * Added by the dapp (spec §2, group `custom`). A `data:` image cannot cause a request; links are checked when opened.
 */
export const CustomWallet = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(128)),
  name: z.string().check(z.minLength(1), z.maxLength(128)),
  imageUrl: z.optional(z.string().check(z.maxLength(65_536), z.regex(/^data:image\//))),
  homepage: z.optional(z.string().check(z.maxLength(2048))),
  /** CAIP-2 ids or namespaces. Default: all. */
  chains: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(128))),
  rdns: z.optional(z.string().check(z.maxLength(256))),
  mobile_link: z.optional(z.string().check(z.maxLength(2048))),
  desktop_link: z.optional(z.string().check(z.maxLength(2048))),
  webapp_link: z.optional(z.string().check(z.maxLength(2048))),
  app_store: z.optional(z.string().check(z.maxLength(2048))),
  play_store: z.optional(z.string().check(z.maxLength(2048))),
  chrome_store: z.optional(z.string().check(z.maxLength(2048))),
})
export type CustomWallet = z.infer<typeof CustomWallet>

/** In the order of spec §2. `connectorTypeOrder` moves groups to the front. */
export const connectorGroups = [
  'walletConnect',
  'recent',
  'injected',
  'featured',
  'custom',
  'external',
  'recommended',
] as const
export const ConnectorGroup = z.enum(connectorGroups)
export type ConnectorGroup = z.infer<typeof ConnectorGroup>

/** See spec §2. Default: email, social, wallet; with a wallet in the page: wallet, email, social. */
export const connectMethods = ['email', 'social', 'wallet'] as const
export const ConnectMethod = z.enum(connectMethods)
export type ConnectMethod = z.infer<typeof ConnectMethod>
