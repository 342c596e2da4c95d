/** Whom the embedded wallet belongs to, where it is kept, on which devices, and how it comes back: the things that its frame's requests speak of. */
import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'
import { SocialProvider } from '../features'
import { ThemeMode } from '../page-link-taken'
import { ChainId, EmbeddedAccountType } from './fields'

/**
 * Where the device share is kept (DESIGN §3, in this order): the frame's own storage (partitioned where the browser partitions), storage that the visitor granted
 * (Storage Access API), the wallet's own window, or nowhere: then the session ends with the page, and says so.
 */
export const WalletStorage = z.enum(['frame', 'granted', 'window', 'memory'])
export type WalletStorage = z.infer<typeof WalletStorage>

/** Embedded-wallet user (spec §3). */
export const WalletUser = z.object({
  email: z.nullish(z.string()),
  address: z.string(),
  chainId: ChainId,
  accounts: z.optional(z.array(z.object({ address: z.string(), type: EmbeddedAccountType }))),
  userName: z.nullish(z.string()),
  smartAccountDeployed: z.optional(z.boolean()),
  preferredAccountType: z.optional(EmbeddedAccountType),
  /** Beyond interop §1: the addresses of the other namespaces, how the visitor signed in, and where the device share is kept. */
  solana: z.optional(z.string()),
  /** `publicKey` is the compressed one in hex, which PSBTs need. */
  bitcoin: z.optional(z.array(z.object({ networkId: CaipNetworkId, address: z.string(), publicKey: z.string() }))),
  provider: z.optional(z.union([z.literal('email'), z.literal('farcaster'), SocialProvider])),
  storage: z.optional(WalletStorage),
  /** The wallet exists, but this device can open it only by the owner's passkey or passphrase: the window `unlock` comes first. */
  locked: z.optional(z.enum(['passkey', 'passphrase'])),
})
export type WalletUser = z.infer<typeof WalletUser>

/** Theme sync payload (spec §3). */
export const ThemeSync = z.object({
  themeMode: z.optional(ThemeMode),
  themeVariables: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
})
export type ThemeSync = z.infer<typeof ThemeSync>

/** Email change payload (spec §3). */
export const EmailChange = z.object({ newEmail: z.string() })
export type EmailChange = z.infer<typeof EmailChange>

/* ---------------------------------------------------------------- recovery, devices, windows */

/**
 * Who can open the recovery share (DESIGN §4): `gateway` by default, `passkey` (WebAuthn PRF) and `passphrase` (Argon2id) let no server rebuild
 * the key.
 */
export const RecoveryMethod = z.enum(['gateway', 'passkey', 'passphrase'])
export type RecoveryMethod = z.infer<typeof RecoveryMethod>

/** A browser that holds a device share. Times are epoch ms. */
export const WalletDevice = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  /** As the browser's user agent lets itself be named, such as "Chrome on Linux", with the site it is for. */
  name: z.string().check(z.maxLength(128)),
  createdAt: z.number(),
  usedAt: z.number(),
  isThis: z.boolean(),
})
export type WalletDevice = z.infer<typeof WalletDevice>

/**
 * What the wallet's own window (a popup on its origin) is opened for: whatever shows or takes a secret happens there, never in the modal.
 * `keep`: the device share is kept in, or fetched from, first-party storage. `unlock`: recovery by passkey or passphrase on a new device.
 * `recovery`: another recovery method. `export`: seed and keys.
 */
export const WalletWindowPurpose = z.enum(['keep', 'unlock', 'recovery', 'export'])
export type WalletWindowPurpose = z.infer<typeof WalletWindowPurpose>
