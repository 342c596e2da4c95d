/** Stored values (spec §3): JSON, never secret. A value that does not parse is ignored. */
import * as z from 'zod/mini'
import { CaipNetworkId } from './caip'
import { AccountType } from './entities/account'
import { SocialProvider } from './features'
import * as limits from './limits'
import { byNamespace } from './namespaces'

export const RecentWallet = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(256)),
  rdns: z.optional(z.string().check(z.maxLength(256))),
  name: z.string().check(z.maxLength(256)),
})
export type RecentWallet = z.infer<typeof RecentWallet>

const PerNamespace = <T extends z.ZodMiniType>(value: T) => z.strictObject(byNamespace(() => z.optional(value)))

/** By CAIP-10 account or plain address. `timestamp`: epoch ms. */
const Cache = <T extends z.ZodMiniType>(value: T) => z.record(z.string(), z.object({ timestamp: z.number(), value }))

export const storedKeys = {
  activeNetwork: CaipNetworkId,
  /** Newest first. */
  recentWallets: z.array(RecentWallet).check(z.maxLength(limits.recentWallets)),
  connectedSocial: SocialProvider,
  socialUsername: z.string(),
  preferredAccountTypes: PerNamespace(AccountType),
  /** EVM chain ids. */
  smartAccountNetworks: z.string().check(z.regex(/^(\d+(,\d+)*)?$/)),
  /** Epoch ms. */
  lastEmailLogin: z.number(),
  /** Start of the pending email sign-in, epoch ms. The wallet's frame stores the rest. */
  openSignIn: z.number(),
  /** The wallet's window stores the wallet. */
  walletKept: z.boolean(),
  /** The user declined a new embedded wallet. */
  moveOfferPutOff: z.boolean(),
  portfolioCache: Cache(z.unknown()),
  nativeBalanceCache: Cache(z.unknown()),
  /** For display only: never the address that a name resolves to. */
  ensCache: Cache(z.unknown()),
  /** Name and avatar. */
  identityCache: Cache(z.unknown()),
} as const
export type StoredKey = keyof typeof storedKeys
