/**
 * Calls between the embedded wallet's pages and the gateway: sign-in, sessions and key shares. They are JSON over POST
 * on the wallet's own origin, with `projectId` in the query. A call with a session has `Authorization: DPoP <session
 * token>` and, in the header `DPoP`, a proof by the key that the session is bound to (RFC 9449). A failure is an
 * {@link ErrorBody} whose first reason's `name` is a {@link WalletApiFailure}; a `Retry-After` header (seconds) says
 * when to retry, and after WRONG_CODE a `Tries-Left` header how often a code of an email can still be tried.
 *
 * 1. Only the answer to `email` reveals whether an account exists to a caller who has not proved that they own it. It
 *    emails the owner.
 * 2. `flow` and `claim` are 256-bit secrets of one sign-in, in base64url. The gateway stores only their hashes.
 * 3. Waiting calls (`…/device`, `…/claim`) respond within 25 s, with `pending` if nothing happened. The caller then
 *    asks again.
 * 4. Shares are base64url of the bytes of `shamir-secret-sharing`. The gateway encrypts them at rest; the two kinds
 *    have separate keys and separate tables.
 */
import * as z from 'zod/mini'
import { Namespace } from './caip'
import { SocialProvider } from './features'
import { SignInWay, WalletDevice, WalletRecovery } from './wallet-frame/entities'
import {
  AddressProof,
  DeviceShares,
  maxWalletEnds,
  Recovery,
  RecoveryProof,
  Sealed,
  Signature,
  WalletAddresses,
  WalletEnd,
  WalletReplacement,
  WhichWallet,
} from './wallet-shares'

const Secret = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
const Id = z.string().check(z.minLength(1), z.maxLength(64))
const Code = z.string().check(z.regex(/^\d{6}$/))
const Email = z.string().check(z.minLength(3), z.maxLength(254))
/** `email`: the new address that the user was shown. Frames of earlier versions do not send it. */
const ConfirmedAddress = z.object({ otp: Code, email: z.optional(Email) })
const Nothing = z.object({})

export const walletApiFailures = [
  /** Within 30 s; see Retry-After. */
  'EMAIL_COOLDOWN',
  'INVALID_EMAIL',
  /** No email without a solved challenge now; see Retry-After. */
  'CHALLENGE_REQUIRED',
  'WRONG_CODE',
  'CODE_EXPIRED',
  /** Already used, or replaced. */
  'CODE_SPENT',
  /** Limit of address, IP or project; see Retry-After. */
  'TOO_MANY_ATTEMPTS',
  /** Unknown, expired or revoked. */
  'SESSION_EXPIRED',
  /** The session goes on; this call needs a sign-in within the last ten minutes. */
  'SIGN_IN_TOO_OLD',
  /** No new proof for this call: make one with the answer's `DPoP-Nonce`. The refused call had no effect. */
  'DPOP_REFUSED',
  'DEVICE_REVOKED',
  /** The operator blocked the user. */
  'USER_BLOCKED',
  /** Social sign-in: declined; provider failure; wrong state. */
  'CONSENT_DENIED',
  'PROVIDER_FAILED',
  'STATE_MISMATCH',
  /** Two tabs created one at once. */
  'WALLET_EXISTS',
  /** The user has one already, and moves on from it first. */
  'PREVIOUS_WALLET_EXISTS',
  'WALLET_NOT_FOUND',
  /** The project's waiting time for new devices; see Retry-After. */
  'RECOVERY_WAITING',
  /** The proof is not signed by the wallet's key. */
  'BAD_PROOF',
  /** The last device that the recovery can open cannot be removed. */
  'LAST_DEVICE',
  /** Another device opens the wallet: a deletion, or a removal of that device, needs the wallet's key. */
  'WALLET_IN_USE',
  /** The project requires a passkey or passphrase. */
  'HARDENED_RECOVERY_REQUIRED',
  'EMAIL_TAKEN',
  /** The address was changed in the last seven days, or its former one froze the account; see Retry-After. */
  'EMAIL_ON_HOLD',
  'MAIL_FAILED',
] as const
export type WalletApiFailure = (typeof walletApiFailures)[number]

export const WalletApiUser = z.object({
  id: Id,
  email: z.nullable(z.string()),
  userName: z.nullable(z.string()),
  provider: SignInWay,
})
export type WalletApiUser = z.infer<typeof WalletApiUser>

export const SignedIn = z.object({
  status: z.literal('signedIn'),
  /** Opaque, 256 bits. Authorizes all calls below, together with the key that signed in. */
  sessionToken: Secret,
  /** Epoch ms; sliding, see `GET_SESSION`. */
  expiresAt: z.number(),
  /** JWT (EdDSA) for SESSION_UPDATE; grants no access. */
  identityToken: z.string(),
  user: WalletApiUser,
})
export type SignedIn = z.infer<typeof SignedIn>

const Pending = z.object({ status: z.literal('pending') })
/** The callback page cannot reach the frame: the user types its six digits. */
const NeedsCode = z.object({ status: z.literal('code') })

/** Min and max numbers that a challenge may have. */
export const minChallengeTries = 50_000
export const maxChallengeTries = 400_000

/**
 * Work that the gateway asks for before an email or a sign-in at a provider: the number from 0 to `max` for which the SHA-256 of `salt` followed by
 * the number in decimal is `target` (hex). `expiresAt`: epoch ms.
 */
export const EmailChallenge = z.object({
  salt: z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/)),
  target: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  max: z.int().check(z.gte(1), z.lte(maxChallengeTries)),
  expiresAt: z.number(),
  signature: z.string().check(z.maxLength(128)),
})
export type EmailChallenge = z.infer<typeof EmailChallenge>

export const EmailSolution = z.extend(EmailChallenge, { number: z.int().check(z.gte(0), z.lte(maxChallengeTries)) })
export type EmailSolution = z.infer<typeof EmailSolution>

/**
 * `session`: needs a session token and a proof by its key. `deviceToken`: a secret of the storage partition that
 * identifies the device.
 */
export const walletApi = {
  /* ---- email */
  email: {
    path: '/auth/email',
    session: false,
    body: z.object({
      email: Email,
      deviceToken: Secret,
      origin: z.string().check(z.maxLength(512)),
      solution: z.optional(EmailSolution),
    }),
    answer: z.object({ flow: Secret, action: z.enum(['VERIFY_DEVICE', 'VERIFY_OTP']) }),
  },
  /** After CHALLENGE_REQUIRED: its solution goes into the repeated call of `email`, with the same address. */
  emailChallenge: {
    path: '/auth/email/challenge',
    session: false,
    body: z.object({ email: Email }),
    answer: EmailChallenge,
  },
  /** Waits until the emailed link is opened, then the code is emailed. */
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

  /** After CHALLENGE_REQUIRED of `social` or `farcaster`: its solution goes into the repeated call, by the same device. */
  providerChallenge: {
    path: '/auth/challenge',
    session: false,
    body: z.object({ deviceToken: Secret }),
    answer: EmailChallenge,
  },

  /* ---- socials and Farcaster. Only the holder of `claim`, the frame's secret, can complete the sign-in. */
  social: {
    path: '/auth/social',
    session: false,
    body: z.object({
      provider: SocialProvider,
      claim: Secret,
      deviceToken: Secret,
      origin: z.string().check(z.maxLength(512)),
      solution: z.optional(EmailSolution),
    }),
    /** Starts on the wallet's own origin, which sets the popup's cookie. */
    answer: z.object({ flow: Secret, uri: z.string() }),
  },
  /** `ticket`: from the callback page in the same browser. `code`: shown to the user instead. */
  socialClaim: {
    path: '/auth/social/claim',
    session: false,
    body: z.object({ flow: Secret, claim: Secret, ticket: z.optional(Secret), code: z.optional(Code) }),
    answer: z.discriminatedUnion('status', [Pending, NeedsCode, SignedIn]),
  },
  farcaster: {
    path: '/auth/farcaster',
    session: false,
    body: z.object({
      claim: Secret,
      deviceToken: Secret,
      origin: z.string().check(z.maxLength(512)),
      solution: z.optional(EmailSolution),
    }),
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
  /**
   * About the user, for the dapp's server: names the addresses of these namespaces. `user`: also a {@link SharedUser}; the
   * wallet asks the user before it hands out such a token.
   */
  identityToken: {
    path: '/auth/identity-token',
    session: true,
    body: z.object({ namespaces: z.array(Namespace).check(z.maxLength(8)), user: z.optional(z.boolean()) }),
    answer: z.object({ token: z.string().check(z.maxLength(4096)) }),
  },
  signOut: { path: '/auth/sign-out', session: true, body: Nothing, answer: Nothing },
  /**
   * Emails a code for actions beyond the session. Without an email address, the sign-in must be younger than 10 minutes
   * instead.
   */
  confirm: {
    path: '/auth/confirm',
    session: true,
    body: z.object({ purpose: z.enum(['export', 'recovery', 'move', 'deletePrevious', 'delete']) }),
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
    body: ConfirmedAddress,
    answer: Nothing,
  },
  emailChangeSecondary: {
    path: '/auth/email/change/secondary',
    session: true,
    body: ConfirmedAddress,
    /**
     * `undoUntil`: until then the former address can undo the change, epoch ms. `isProven`: it was made on a device that
     * was there before, so the former address alone only freezes the account. Missing from older gateways.
     */
    answer: z.object({
      newEmail: z.string(),
      undoUntil: z.optional(z.number()),
      isProven: z.optional(z.boolean()),
    }),
  },

  /* ---- the wallet's shares */
  wallet: {
    path: '/wallet',
    session: true,
    body: WhichWallet,
    answer: z.object({
      wallet: z.nullable(
        z.object({
          addresses: WalletAddresses,
          recovery: Recovery,
          /** Null for generation 0. */
          recoveryProof: z.nullable(RecoveryProof),
          /** Null if no device has handed it in since the last choice. */
          addressProof: z.nullable(AddressProof),
          /** How the user moved here from another wallet. Missing from gateways before it existed, as is `isExposed`. */
          replaces: z.optional(z.nullable(WalletReplacement)),
          /** The gateway once had two shares in clear: an old copy of its data may open the wallet. */
          isExposed: z.optional(z.boolean()),
          devices: z.array(WalletDevice),
          /** Recoveries on other devices that this device has not seen. Missing from older gateways. */
          recoveries: z.optional(z.array(WalletRecovery)),
          /** No recovery share for the current method: the device submits a new split when it next has the key. */
          stale: z.boolean(),
        }),
      ),
      /** Statements of the user's ended wallets of which this device had a share. Missing if there are none. */
      ends: z.optional(z.array(WalletEnd).check(z.maxLength(maxWalletEnds))),
    }),
  },
  /** `chosen`: the method that the shares are for; `gateway` if missing. HARDENED_RECOVERY_REQUIRED. */
  createWallet: {
    path: '/wallet/create',
    session: true,
    body: z.object({
      addresses: WalletAddresses,
      shares: DeviceShares,
      chosen: z.optional(z.object({ recovery: Recovery, recoveryProof: RecoveryProof })),
    }),
    answer: Nothing,
  },
  /**
   * The user moves to a new wallet, whose seed no gateway can rebuild: HARDENED_RECOVERY_REQUIRED for `gateway`. The
   * rows of the one before stay, as the previous wallet. `signature`: see {@link WalletReplacement}.
   */
  replaceWallet: {
    path: '/wallet/replace',
    session: true,
    body: z.object({
      addresses: WalletAddresses,
      shares: DeviceShares,
      recovery: Recovery,
      recoveryProof: RecoveryProof,
      signature: Signature,
      /** The previous wallet's statement that it ended. Missing from older frames. */
      end: z.optional(WalletEnd),
      otp: z.optional(Code),
    }),
    answer: Nothing,
  },
  /** Deletes the gateway's shares of the previous wallet. `end`: as for `deleteAccount`, of that wallet. */
  deletePrevious: {
    path: '/wallet/previous/delete',
    session: true,
    body: z.object({ addresses: WalletAddresses, otp: z.optional(Code), end: z.optional(WalletEnd) }),
    answer: Nothing,
  },
  /** Adds this device, or replaces its split. */
  putDevice: {
    path: '/wallet/device',
    session: true,
    body: z.extend(DeviceShares, WhichWallet.shape),
    answer: Nothing,
  },
  /** Stores the proof of the addresses, for a wallet without one of the current generation. */
  proveAddresses: {
    path: '/wallet/addresses',
    session: true,
    body: z.extend(AddressProof, WhichWallet.shape),
    answer: Nothing,
  },
  /** Its own auth share, for each signature; DEVICE_REVOKED once its row is gone. */
  deviceShare: {
    path: '/wallet/device/share',
    session: true,
    body: WhichWallet,
    answer: z.object({ authShare: Sealed }),
  },
  /**
   * Two shares of one split, for a device without any; the recovery share is encrypted unless `gateway`. Needs a
   * sign-in younger than 10 minutes. Tells the mailbox and the other devices. RECOVERY_WAITING until the project's
   * waiting time is over.
   */
  recover: {
    path: '/wallet/recover',
    session: true,
    body: WhichWallet,
    answer: z.object({
      authShare: Sealed,
      recoveryShare: Sealed,
      recovery: Recovery,
      recoveryProof: z.nullable(RecoveryProof),
    }),
  },
  /** The user has seen the recoveries up to that time (epoch ms) on this device. */
  seeRecoveries: {
    path: '/wallet/recoveries/seen',
    session: true,
    body: z.object({ until: z.number() }),
    answer: Nothing,
  },
  /**
   * Sets a method of a newer generation, with a new split for this device. Other devices' recovery shares are deleted
   * until they submit new ones. HARDENED_RECOVERY_REQUIRED.
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
  /** Consumes the code; nothing is shown before. */
  confirmExport: { path: '/wallet/export', session: true, body: z.object({ otp: z.optional(Code) }), answer: Nothing },
  /**
   * `signature`: EIP-191 by the wallet's EVM key over `deviceRemovalText`. WALLET_IN_USE without it, if a wallet with a
   * passkey or passphrase was used on that device lately.
   */
  revokeDevice: {
    path: '/wallet/device/revoke',
    session: true,
    body: z.object({ id: Id, signature: z.optional(Signature) }),
    answer: Nothing,
  },
  /** `end`: of the wallet, unless this device cannot open it. Other devices get it. WALLET_IN_USE without it. */
  deleteAccount: {
    path: '/wallet/delete',
    session: true,
    body: z.object({ otp: z.optional(Code), end: z.optional(WalletEnd) }),
    answer: Nothing,
  },
} as const

/** Each carries a proof by a key, to which the new session is bound. */
export const signInCalls = ['emailVerify', 'socialClaim', 'farcasterClaim'] as const
export type SignInCall = (typeof signInCalls)[number]

export type WalletApiCall = keyof typeof walletApi
export type WalletApiBody<C extends WalletApiCall> = z.infer<(typeof walletApi)[C]['body']>
export type WalletApiAnswer<C extends WalletApiCall> = z.infer<(typeof walletApi)[C]['answer']>
