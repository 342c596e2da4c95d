import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { ThemeMode } from '../entities/theme'
import { SocialProvider } from '../features'
import { ChainId, EmbeddedAccountType } from './fields'

/**
 * Where the device share is stored, best first.
 * `frame`: the frame's storage (partitioned in some browsers). `granted`: unpartitioned, by the user's grant (Storage
 * Access API). `window`: the wallet's own window. `memory`: the session ends with the page, and the interface says so.
 */
export const WalletStorage = z.enum(['frame', 'granted', 'window', 'memory'])
export type WalletStorage = z.infer<typeof WalletStorage>

/** Recovery methods that a project allows. `hardened`: passkey or passphrase. */
export const RecoveryRule = z.enum(['any', 'hardened'])
export type RecoveryRule = z.infer<typeof RecoveryRule>

/**
 * When a new user chooses the recovery method.
 * `first`: before the wallet is created, so that its first share is for that method. `later`: the wallet starts with
 * `gateway`, which the user can change. A `hardened` project always asks first.
 */
export const RecoveryChoice = z.enum(['later', 'first'])
export type RecoveryChoice = z.infer<typeof RecoveryChoice>

export const SignInWay = z.union([z.literal('email'), z.literal('farcaster'), SocialProvider])
export type SignInWay = z.infer<typeof SignInWay>

/** What a dapp may learn about the user. `email`: only an address that the gateway has verified. */
export const SharedUser = z.object({ provider: SignInWay, email: z.optional(z.string().check(z.maxLength(254))) })
export type SharedUser = z.infer<typeof SharedUser>

/** Spec §3. */
export const WalletUser = z.object({
  email: z.nullish(z.string()),
  address: z.string(),
  chainId: ChainId,
  accounts: z.optional(z.array(z.object({ address: z.string(), type: EmbeddedAccountType }))),
  userName: z.nullish(z.string()),
  smartAccountDeployed: z.optional(z.boolean()),
  preferredAccountType: z.optional(EmbeddedAccountType),
  /** Beyond interop §1. */
  solana: z.optional(z.string()),
  /** `publicKey`: compressed, in hex, for PSBTs. */
  bitcoin: z.optional(z.array(z.object({ networkId: CaipNetworkId, address: z.string(), publicKey: z.string() }))),
  provider: z.optional(SignInWay),
  storage: z.optional(WalletStorage),
  /** This device must first recover the wallet in the `unlock` window. */
  locked: z.optional(z.enum(['passkey', 'passphrase'])),
  /** The user has no wallet yet and first chooses one of these recovery methods. */
  recoveryWanted: z.optional(RecoveryRule),
  /**
   * The wallet of this device's share has ended, as its own key signed on another device.
   * No address is shown until the user removes the share (FORGET_ENDED_WALLET).
   */
  ended: z.optional(z.enum(['deleted', 'replaced'])),
  /** Created by this sign-in. */
  isNew: z.optional(z.literal(true)),
})
export type WalletUser = z.infer<typeof WalletUser>

/** Spec §3. */
export const ThemeSync = z.object({
  themeMode: z.optional(ThemeMode),
  themeVariables: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
  /** Beyond interop §1: BCP 47. */
  locale: z.optional(z.string().check(z.maxLength(35))),
})
export type ThemeSync = z.infer<typeof ThemeSync>

/** Spec §3. */
export const EmailChange = z.object({ newEmail: z.string() })
export type EmailChange = z.infer<typeof EmailChange>

/* ---------------------------------------------------------------- waiting transactions */

/** EVM transaction or user operation with `0x`; Bitcoin transaction id without. */
export const SentHash = z.string().check(z.regex(/^(0x[0-9a-fA-F]{64}|[0-9a-f]{64})$/))

/**
 * Replacement by a transaction with the same nonce, or on Bitcoin the same coins.
 * `speedUp`: the same transaction for a higher fee. `cancel`: sends nothing, or everything to oneself.
 */
export const ReplacementKind = z.enum(['speedUp', 'cancel'])
export type ReplacementKind = z.infer<typeof ReplacementKind>

/** A transaction or user operation that this wallet sent and that is in no block yet. */
export const WaitingTransaction = z.object({
  networkId: CaipNetworkId,
  from: z.string(),
  /** Hash of the first version. */
  hash: SentHash,
  /** Hash of the last replacement. Default: `hash`. */
  newest: SentHash,
  /** Kind of the last replacement. */
  replacedBy: z.optional(ReplacementKind),
  /** First recipient. Absent: creates a contract, or pays a script without an address. */
  to: z.optional(z.string()),
  /** Decimal, in base units of the native currency. */
  value: z.string().check(z.regex(/^\d{1,78}$/)),
  /** Only sends native currency, to one recipient. */
  isPlain: z.boolean(),
  /** `hash` and `newest` are of user operations (ERC-4337), which transaction explorers cannot find. */
  isOperation: z.optional(z.boolean()),
  /** Epoch ms. */
  sentAt: z.optional(z.number()),
})
export type WaitingTransaction = z.infer<typeof WaitingTransaction>

/* ---------------------------------------------------------------- recovery, devices, windows */

/**
 * Who can decrypt the recovery share.
 * With `passkey` (WebAuthn PRF) or `passphrase` (Argon2id), no server can rebuild the key.
 */
export const RecoveryMethod = z.enum(['gateway', 'passkey', 'passphrase'])
export type RecoveryMethod = z.infer<typeof RecoveryMethod>

/** A device with a share. Times in epoch ms. */
export const WalletDevice = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  /** From the user agent, such as "Chrome on Linux", with its site. */
  name: z.string().check(z.maxLength(128)),
  createdAt: z.number(),
  usedAt: z.number(),
  isThis: z.boolean(),
})
export type WalletDevice = z.infer<typeof WalletDevice>

/**
 * Another device that opened the wallet with the gateway's shares, or waits to.
 * `at`: when it opened or asked. `opensAt`: when it may open. Epoch ms.
 */
export const WalletRecovery = z.object({
  deviceId: z.string().check(z.minLength(1), z.maxLength(64)),
  at: z.number(),
  opensAt: z.nullable(z.number()),
})
export type WalletRecovery = z.infer<typeof WalletRecovery>

/**
 * The wallet that the user moved from. While it is locked (`unlockPrevious`), it has no accounts here.
 * `to`: the new wallet's account to send assets to.
 */
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
 * Purposes of the wallet's own window: a popup on the wallet's origin that shows and takes secrets.
 *
 * `keep`: store or load the device share in first-party storage. `unlock`: recover on a new device. `create`,
 * `recovery`: choose or change the recovery method. `move`: to a new wallet. `unlockPrevious`, `deletePrevious`: the
 * wallet that the user moved from. `export`: seed and keys.
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
