import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { ThemeMode } from '../entities/theme'
import { SocialProvider } from '../features'
import { ChainId, EmbeddedAccountType } from './fields'

/**
 * Where the device share is stored, best first.
 * `frame`: the frame's storage, partitioned in some browsers. `granted`: unpartitioned (Storage Access API). `memory`:
 * ends with the page.
 */
export const WalletStorage = z.enum(['frame', 'granted', 'window', 'memory'])
export type WalletStorage = z.infer<typeof WalletStorage>

/** `hardened`: passkey or passphrase. */
export const RecoveryRule = z.enum(['any', 'hardened'])
export type RecoveryRule = z.infer<typeof RecoveryRule>

/** `later` starts with `gateway`. A `hardened` project asks first. */
export const RecoveryChoice = z.enum(['later', 'first'])
export type RecoveryChoice = z.infer<typeof RecoveryChoice>

export const SignInWay = z.union([z.literal('email'), z.literal('farcaster'), SocialProvider])
export type SignInWay = z.infer<typeof SignInWay>

/** For the dapp. `email`: verified. */
export const SharedUser = z.object({ provider: SignInWay, email: z.optional(z.string().check(z.maxLength(254))) })
export type SharedUser = z.infer<typeof SharedUser>

/** Spec §3, and from `solana` on Postern's own. */
export const WalletUser = z.object({
  email: z.nullish(z.string()),
  address: z.string(),
  chainId: ChainId,
  accounts: z.optional(z.array(z.object({ address: z.string(), type: EmbeddedAccountType }))),
  userName: z.nullish(z.string()),
  smartAccountDeployed: z.optional(z.boolean()),
  preferredAccountType: z.optional(EmbeddedAccountType),
  solana: z.optional(z.string()),
  /** `publicKey`: compressed hex. */
  bitcoin: z.optional(z.array(z.object({ networkId: CaipNetworkId, address: z.string(), publicKey: z.string() }))),
  provider: z.optional(SignInWay),
  storage: z.optional(WalletStorage),
  /** Recover first, in the `unlock` window. */
  locked: z.optional(z.enum(['passkey', 'passphrase'])),
  /** The user first chooses a recovery method. */
  recoveryWanted: z.optional(RecoveryRule),
  /**
   * This share's wallet has ended, as its own key signed on another device.
   * No address is shown until the user removes the share (FORGET_ENDED_WALLET).
   */
  ended: z.optional(z.enum(['deleted', 'replaced'])),
  /** Created by this sign-in. */
  isNew: z.optional(z.literal(true)),
})
export type WalletUser = z.infer<typeof WalletUser>

export const ThemeSync = z.object({
  themeMode: z.optional(ThemeMode),
  themeVariables: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
  /** BCP 47. */
  locale: z.optional(z.string().check(z.maxLength(35))),
})
export type ThemeSync = z.infer<typeof ThemeSync>

export const EmailChange = z.object({ newEmail: z.string() })
export type EmailChange = z.infer<typeof EmailChange>

/** EVM hash with `0x`, or Bitcoin transaction id. */
export const SentHash = z.string().check(z.regex(/^(0x[0-9a-fA-F]{64}|[0-9a-f]{64})$/))

/** `speedUp`: higher fee. `cancel`: sends nothing, or everything to oneself. Same nonce, or on Bitcoin same coins. */
export const ReplacementKind = z.enum(['speedUp', 'cancel'])
export type ReplacementKind = z.infer<typeof ReplacementKind>

/** Sent by this wallet, in no block yet. */
export const WaitingTransaction = z.object({
  networkId: CaipNetworkId,
  from: z.string(),
  /** First version. */
  hash: SentHash,
  /** Last replacement; default: `hash`. */
  newest: SentHash,
  replacedBy: z.optional(ReplacementKind),
  /** First recipient. Absent: contract creation, or no address. */
  to: z.optional(z.string()),
  /** Decimal, base units. */
  value: z.string().check(z.regex(/^\d{1,78}$/)),
  /** Only sends native currency to one recipient. */
  isPlain: z.boolean(),
  /** The hashes are of user operations, unknown to transaction explorers. */
  isOperation: z.optional(z.boolean()),
  /** Epoch ms. */
  sentAt: z.optional(z.number()),
})
export type WaitingTransaction = z.infer<typeof WaitingTransaction>

/** With `passkey` (WebAuthn PRF) or `passphrase` (Argon2id), no server can rebuild the key. */
export const RecoveryMethod = z.enum(['gateway', 'passkey', 'passphrase'])
export type RecoveryMethod = z.infer<typeof RecoveryMethod>

/** Times in epoch ms. */
export const WalletDevice = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  /** Such as "Chrome on Linux", with its site. */
  name: z.string().check(z.maxLength(128)),
  createdAt: z.number(),
  usedAt: z.number(),
  isThis: z.boolean(),
})
export type WalletDevice = z.infer<typeof WalletDevice>

/**
 * A device that opened the wallet with the gateway's shares, or waits to.
 * `at`: when it opened or asked. `opensAt`: when it may open. Epoch ms.
 */
export const WalletRecovery = z.object({
  deviceId: z.string().check(z.minLength(1), z.maxLength(64)),
  at: z.number(),
  opensAt: z.nullable(z.number()),
})
export type WalletRecovery = z.infer<typeof WalletRecovery>

/** `to`: the new wallet's account for the assets. */
export const PreviousWallet = z.object({
  locked: z.nullable(z.enum(['passkey', 'passphrase'])),
  accounts: z.array(
    z.object({
      address: z.string(),
      to: z.string(),
      type: EmbeddedAccountType,
      networkIds: z.array(CaipNetworkId),
    }),
  ),
})
export type PreviousWallet = z.infer<typeof PreviousWallet>

/**
 * Purposes of the wallet's window: a popup on the wallet's origin that shows and takes secrets.
 * `keep`: device share in first-party storage. `unlock`: recover on a new device. `create`, `recovery`: choose the
 * method. `move`: to a new wallet. `export`: seed and keys.
 */
export const WalletWindowPurpose = z.enum([
  'keep',
  'unlock',
  'create',
  'recovery',
  'move',
  'unlockPrevious',
  'deletePrevious',
  'export',
])
export type WalletWindowPurpose = z.infer<typeof WalletWindowPurpose>
