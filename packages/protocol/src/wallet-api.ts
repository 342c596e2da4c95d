/**
 * What travels between the embedded wallet's pages and the gateway: sign-in, sessions and key shares. JSON over POST on the wallet's own origin, `projectId` in the
 * query, `Authorization: Bearer <session token>` where a session is needed. Failures are {@link ErrorBody} whose first reason's `name` is a
 * {@link WalletApiFailure}; a `Retry-After` header (seconds) says when it would pass.
 *
 * 1. No answer tells whether an account exists before somebody proved to own it.
 * 2. `flow` and `claim` are secrets of one sign-in, 256 bits in base64url; only their hashes are kept.
 * 3. Waiting calls (`…/device`, `…/claim`) answer within 25 s, `pending` when nothing happened: whoever waits asks again.
 * 4. Shares are base64url of the bytes of `shamir-secret-sharing`. The gateway encrypts them at rest, the two kinds under keys of their own in tables of their own.
 */
import * as z from 'zod/mini'
import { SocialProvider } from './features'
import { WalletDevice } from './wallet-frame/entities'

const Secret = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
const Id = z.string().check(z.minLength(1), z.maxLength(64))
/** Sealed bytes and shares, base64url. */
const Sealed = z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), z.maxLength(4096))
const Code = z.string().check(z.regex(/^\d{6}$/))
const Email = z.string().check(z.minLength(3), z.maxLength(254))
const Nothing = z.object({})

export const walletApiFailures = [
  /** Another mail within 30 s; Retry-After says how long. */
  'EMAIL_COOLDOWN',
  'INVALID_EMAIL',
  'WRONG_CODE',
  'CODE_EXPIRED',
  /** Used already, or replaced by a newer one. */
  'CODE_SPENT',
  /** Limits of address, IP or project; Retry-After. */
  'TOO_MANY_ATTEMPTS',
  /** Unknown, expired, revoked. */
  'SESSION_EXPIRED',
  'DEVICE_REVOKED',
  /** Of a social: the visitor said no; the provider failed; the state is not the one that was given out. */
  'CONSENT_DENIED',
  'PROVIDER_FAILED',
  'STATE_MISMATCH',
  /** A wallet is there already: two tabs made one at once. */
  'WALLET_EXISTS',
  'WALLET_NOT_FOUND',
  /** The signature is not of the wallet's own key. */
  'BAD_PROOF',
  /** The last row that the recovery method can open may not go. */
  'LAST_DEVICE',
  'EMAIL_TAKEN',
  'MAIL_FAILED',
] as const
export type WalletApiFailure = (typeof walletApiFailures)[number]

/** Who is signed in, as the wallet may know it. */
export const WalletApiUser = z.object({
  id: Id,
  email: z.nullable(z.string()),
  userName: z.nullable(z.string()),
  provider: z.union([z.literal('email'), z.literal('farcaster'), SocialProvider]),
})
export type WalletApiUser = z.infer<typeof WalletApiUser>

export const SignedIn = z.object({
  status: z.literal('signedIn'),
  /** Opaque, 256 bits; the key to everything below. */
  sessionToken: Secret,
  /** Epoch ms; sliding, see `GET_SESSION`. */
  expiresAt: z.number(),
  /** JWT (EdDSA) that says who is signed in and opens nothing: what SESSION_UPDATE carries. */
  identityToken: z.string(),
  user: WalletApiUser,
})
export type SignedIn = z.infer<typeof SignedIn>

const Pending = z.object({ status: z.literal('pending') })
/** The callback page cannot reach the frame: the visitor types the six digits that it shows. */
const NeedsCode = z.object({ status: z.literal('code') })

/** How the recovery share is opened. `publicKey`: P-256, SPKI; `wrappedKey`: its private half (PKCS #8), AES-GCM under the passkey's or the passphrase's key. */
export const Recovery = z.discriminatedUnion('method', [
  z.object({ method: z.literal('gateway') }),
  z.object({
    method: z.literal('passkey'),
    publicKey: Sealed,
    wrappedKey: Sealed,
    credentialId: Sealed,
    /** Of the PRF extension. */
    salt: Sealed,
  }),
  z.object({
    method: z.literal('passphrase'),
    publicKey: Sealed,
    wrappedKey: Sealed,
    salt: Sealed,
    /** Argon2id: KiB, passes, lanes. */
    memory: z.int().check(z.gte(19_456), z.lte(1_048_576)),
    passes: z.int().check(z.gte(2), z.lte(16)),
    lanes: z.int().check(z.gte(1), z.lte(8)),
  }),
])
export type Recovery = z.infer<typeof Recovery>

/** 0x and 65 bytes: r, s, and 27 or 28. */
const Signature = z.string().check(z.regex(/^0x[0-9a-fA-F]{130}$/))

/**
 * That the wallet's owner chose a recovery method: an EIP-191 signature by its EVM key over {@link recoveryProofText}. Generations count the owner's choices. A wallet that was
 * never moved is of generation 0, which is the method `gateway` and has no proof; no other method counts without one.
 */
export const RecoveryProof = z.object({
  generation: z.int().check(z.gte(1), z.lte(2_147_483_647)),
  signature: Signature,
})
export type RecoveryProof = z.infer<typeof RecoveryProof>

/** Addresses of the wallet, by which a rebuilt key is checked: this scheme does not detect a bad share. */
export const WalletAddresses = z.object({
  eip155: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  solana: z.string().check(z.maxLength(44)),
  /** Compressed public key of m/84'/0'/0'/0/0 in hex: each network writes its own address of it. */
  bip122: z.string().check(z.regex(/^0[23][0-9a-f]{64}$/)),
})
export type WalletAddresses = z.infer<typeof WalletAddresses>

/**
 * One device's split: its `authShare`, and the `recoveryShare` sealed to the method of the time (as it is where that is the gateway).
 * `proof`: EIP-191 signature by the wallet's EVM key over `shareProofText`.
 */
export const DeviceShares = z.object({
  deviceName: z.string().check(z.minLength(1), z.maxLength(128)),
  authShare: Sealed,
  recoveryShare: Sealed,
  proof: Signature,
})
export type DeviceShares = z.infer<typeof DeviceShares>

/** How every text of ours begins that the wallet's key signs. The wallet signs no message of a dapp that begins so. */
const ownTexts = { shares: 'Postern key shares', recovery: 'Postern recovery' } as const
export const ownTextBeginnings: readonly string[] = Object.values(ownTexts).map((first) => `${first}\n`)

/** A recovery method as canonical JSON: members by name, no spaces. What {@link shareProofText} takes. */
export function recoveryText(recovery: Recovery): string {
  return JSON.stringify(recovery, Object.keys(recovery).sort())
}

/**
 * What is signed to prove that whoever hands in shares holds the key. `recovery` is {@link recoveryText} of the method that the recovery share is for: the gateway's for
 * `create`, the wallet's own for `device`, the new one for `recovery`.
 */
export function shareProofText(given: {
  readonly action: 'create' | 'device' | 'recovery'
  readonly userId: string
  readonly authShare: string
  readonly recoveryShare: string
  readonly recovery: string
}): string {
  return [ownTexts.shares, given.action, given.userId, given.authShare, given.recoveryShare, given.recovery].join('\n')
}

/** What is signed to prove that the owner chose a method. `recovery` is {@link recoveryText}. It names no share, so that any device may see it. */
export function recoveryProofText(given: {
  readonly userId: string
  readonly generation: number
  readonly recovery: string
}): string {
  return [ownTexts.recovery, given.userId, String(given.generation), given.recovery].join('\n')
}

/** Every call. `session` says that a session token goes with it. The device is told apart by `deviceToken`, a secret of the storage partition. */
export const walletApi = {
  /* ---- email */
  email: {
    path: '/auth/email',
    session: false,
    body: z.object({ email: Email, deviceToken: Secret, origin: z.string().check(z.maxLength(512)) }),
    answer: z.object({ flow: Secret, action: z.enum(['VERIFY_DEVICE', 'VERIFY_OTP']) }),
  },
  /** Waits until the mailed link was followed; the code's mail goes out then. */
  emailDevice: {
    path: '/auth/email/device',
    session: false,
    body: z.object({ flow: Secret }),
    answer: z.object({ status: z.enum(['pending', 'approved']) }),
  },
  emailVerify: {
    path: '/auth/email/verify',
    session: false,
    body: z.object({ flow: Secret, otp: Code, deviceToken: Secret }),
    answer: SignedIn,
  },

  /* ---- socials and Farcaster. `claim` is the frame's own secret; only who knows it takes the sign-in. */
  social: {
    path: '/auth/social',
    session: false,
    body: z.object({
      provider: SocialProvider,
      claim: Secret,
      deviceToken: Secret,
      origin: z.string().check(z.maxLength(512)),
    }),
    /** `uri` begins on the wallet's own origin, which sets the popup's cookie, and goes on to the provider. */
    answer: z.object({ flow: Secret, uri: z.string() }),
  },
  /** `ticket` is what the callback page handed to the frame in the same browser, `code` what it showed to the visitor instead. */
  socialClaim: {
    path: '/auth/social/claim',
    session: false,
    body: z.object({ flow: Secret, claim: Secret, ticket: z.optional(Secret), code: z.optional(Code) }),
    answer: z.discriminatedUnion('status', [Pending, NeedsCode, SignedIn]),
  },
  farcaster: {
    path: '/auth/farcaster',
    session: false,
    body: z.object({ claim: Secret, deviceToken: Secret, origin: z.string().check(z.maxLength(512)) }),
    answer: z.object({ flow: Secret, url: z.string() }),
  },
  farcasterClaim: {
    path: '/auth/farcaster/claim',
    session: false,
    body: z.object({ flow: Secret, claim: Secret }),
    answer: z.discriminatedUnion('status', [Pending, SignedIn]),
  },

  /* ---- the session */
  session: { path: '/auth/session', session: true, body: Nothing, answer: SignedIn },
  signOut: { path: '/auth/sign-out', session: true, body: Nothing, answer: Nothing },
  /** Mails a fresh code to the account's address for what a session alone does not allow; without an address the sign-in itself must be younger than 10 minutes. */
  confirm: {
    path: '/auth/confirm',
    session: true,
    body: z.object({ purpose: z.enum(['export', 'recovery', 'delete']) }),
    answer: z.object({ needsCode: z.boolean() }),
  },
  emailChange: {
    path: '/auth/email/change',
    session: true,
    body: z.object({ email: Email }),
    answer: z.object({ action: z.enum(['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']) }),
  },
  emailChangePrimary: {
    path: '/auth/email/change/primary',
    session: true,
    body: z.object({ otp: Code }),
    answer: Nothing,
  },
  emailChangeSecondary: {
    path: '/auth/email/change/secondary',
    session: true,
    body: z.object({ otp: Code }),
    answer: z.object({ newEmail: z.string() }),
  },

  /* ---- the wallet's shares */
  wallet: {
    path: '/wallet',
    session: true,
    body: Nothing,
    answer: z.object({
      wallet: z.nullable(
        z.object({
          addresses: WalletAddresses,
          recovery: Recovery,
          /** Null for generation 0. */
          recoveryProof: z.nullable(RecoveryProof),
          devices: z.array(WalletDevice),
          /** This device's row holds no recovery share of today's method: it hands in a new split when it next holds the key. */
          stale: z.boolean(),
        }),
      ),
    }),
  },
  createWallet: {
    path: '/wallet/create',
    session: true,
    body: z.object({ addresses: WalletAddresses, shares: DeviceShares }),
    answer: Nothing,
  },
  /** Adds this device, or replaces its split. */
  putDevice: { path: '/wallet/device', session: true, body: DeviceShares, answer: Nothing },
  /** This device's own auth share; DEVICE_REVOKED once its row is gone. Asked for each signature. */
  deviceShare: { path: '/wallet/device/share', session: true, body: Nothing, answer: z.object({ authShare: Sealed }) },
  /** Two shares of one split, for a device that has none. The recovery share is sealed unless the method is `gateway`. Needs a sign-in younger than 10 minutes. */
  recover: {
    path: '/wallet/recover',
    session: true,
    body: Nothing,
    answer: z.object({
      authShare: Sealed,
      recoveryShare: Sealed,
      recovery: Recovery,
      recoveryProof: z.nullable(RecoveryProof),
    }),
  },
  /**
   * Another method, of a later generation than the one before. This device's split comes anew with it; the recovery shares of all others are forgotten until those devices hand
   * in theirs.
   */
  setRecovery: {
    path: '/wallet/recovery',
    session: true,
    body: z.object({
      recovery: Recovery,
      recoveryProof: RecoveryProof,
      shares: DeviceShares,
      otp: z.optional(Code),
    }),
    answer: Nothing,
  },
  /** Spends the code; the frame shows nothing before. */
  confirmExport: { path: '/wallet/export', session: true, body: z.object({ otp: z.optional(Code) }), answer: Nothing },
  revokeDevice: { path: '/wallet/device/revoke', session: true, body: z.object({ id: Id }), answer: Nothing },
  deleteAccount: { path: '/wallet/delete', session: true, body: z.object({ otp: z.optional(Code) }), answer: Nothing },
} as const

export type WalletApiCall = keyof typeof walletApi
export type WalletApiBody<C extends WalletApiCall> = z.infer<(typeof walletApi)[C]['body']>
export type WalletApiAnswer<C extends WalletApiCall> = z.infer<(typeof walletApi)[C]['answer']>
