/**
 * What is kept in a browser (spec §3), by name, with the schema that a kept value has to pass. Values are JSON; none holds a secret.
 * What does not parse counts as absent: it may be of another version, or tampered with.
 */
import * as z from 'zod/mini'
import { CaipNetworkId, Namespace } from './caip'
import { AccountType } from './entities'
import { RecentWallet } from './entities-later'
import { SocialProvider } from './features'
import { limits } from './limits'

/** Every key begins with it, whatever scope (project, origin) its owner puts behind. */
export const storagePrefix = '@postern/'

const PerNamespace = <T extends z.ZodMiniType>(value: T) =>
  z.strictObject({ eip155: z.optional(value), solana: z.optional(value), bip122: z.optional(value) })

/** A cache of `value` by CAIP-10 account or plain address. `timestamp` is epoch milliseconds. */
const Cache = <T extends z.ZodMiniType>(value: T) => z.record(z.string(), z.object({ timestamp: z.number(), value }))

export const storedKeys = {
  activeNetwork: CaipNetworkId,
  activeNamespace: Namespace,
  /** Newest first. */
  recentWallets: z.array(RecentWallet).check(z.maxLength(limits.recentWallets)),
  connectedConnectors: PerNamespace(z.string().check(z.minLength(1), z.maxLength(256))),
  connectedSocial: SocialProvider,
  socialUsername: z.string(),
  connectionStatus: z.enum(['connecting', 'connected', 'reconnecting', 'disconnected']),
  connectedNamespaces: z.array(Namespace),
  preferredAccountTypes: PerNamespace(AccountType),
  /** EVM chain ids, joined by commas. */
  smartAccountNetworks: z.string().check(z.regex(/^(\d+(,\d+)*)?$/)),
  /** Epoch milliseconds. */
  lastEmailLogin: z.number(),
  /** The embedded wallet's own window keeps the wallet, where the frame may keep nothing. */
  walletKept: z.boolean(),
  portfolioCache: Cache(z.unknown()),
  nativeBalanceCache: Cache(z.unknown()),
  /** The names that an address has in the registry. None leads money anywhere: where a name leads is never kept. */
  ensCache: Cache(z.unknown()),
  /** The ENS name, or another, and the picture of an address. */
  identityCache: Cache(z.unknown()),
} as const
export type StoredKey = keyof typeof storedKeys
