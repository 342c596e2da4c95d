import * as z from 'zod/mini'
import { Namespace } from '../caip'
import { SocialProvider } from '../features'
import { SignInWay } from '../wallet-frame/entities'
import { Code, Id, Nothing, Secret } from './fields'

const Email = z.string().check(z.minLength(3), z.maxLength(254))
/** `email`: the new address, as shown. Older frames omit it. */
const ConfirmedAddress = z.object({ otp: Code, email: z.optional(Email) })

export const WalletApiUser = z.object({
  id: Id,
  email: z.nullable(z.string()),
  userName: z.nullable(z.string()),
  provider: SignInWay,
})
export type WalletApiUser = z.infer<typeof WalletApiUser>

export const SignedIn = z.object({
  status: z.literal('signedIn'),
  /** Opaque, 256 bits. Useless without the key that signed in. */
  sessionToken: Secret,
  /** Epoch ms. Use extends it. */
  expiresAt: z.number(),
  /** JWT (EdDSA) for SESSION_UPDATE. Grants no access. */
  identityToken: z.string(),
  user: WalletApiUser,
})
export type SignedIn = z.infer<typeof SignedIn>

const Pending = z.object({ status: z.literal('pending') })
/** The callback page cannot reach the frame: the user types its six digits. */
const NeedsCode = z.object({ status: z.literal('code') })

/** Bounds of `max`. */
export const minChallengeTries = 50_000
export const maxChallengeTries = 400_000

/** Proof of work: find `number` from 0 to `max` with SHA-256(`salt` + `number`) = `target`. */
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

export const accountCalls = {
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
  /** Repeat `email` with the solution and the same address. */
  emailChallenge: {
    path: '/auth/email/challenge',
    session: false,
    body: z.object({ email: Email }),
    answer: EmailChallenge,
  },
  /** Waits until the user opens the emailed link. */
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

  /** `emailChallenge` for `social` and `farcaster` on this device. */
  providerChallenge: {
    path: '/auth/challenge',
    session: false,
    body: z.object({ deviceToken: Secret }),
    answer: EmailChallenge,
  },

  /* ---- only the holder of `claim`, the frame's secret, can complete these */
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
    /** On the wallet's origin, which sets the popup's cookie. */
    answer: z.object({ flow: Secret, uri: z.string() }),
  },
  /** `ticket`: from the callback page in this browser. */
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

  session: { path: '/auth/session', session: true, body: Nothing, answer: SignedIn },
  /** For the dapp's server. `user`: adds a {@link SharedUser}. */
  identityToken: {
    path: '/auth/identity-token',
    session: true,
    body: z.object({ namespaces: z.array(Namespace).check(z.maxLength(8)), user: z.optional(z.boolean()) }),
    answer: z.object({ token: z.string().check(z.maxLength(4096)) }),
  },
  signOut: { path: '/auth/sign-out', session: true, body: Nothing, answer: Nothing },
  /** Emails a code. Without an email address, needs a sign-in within 10 minutes. */
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
    /** `undoUntil`: epoch ms. `isProven`: made on an older device; the former address can only freeze. */
    answer: z.object({
      newEmail: z.string(),
      undoUntil: z.optional(z.number()),
      isProven: z.optional(z.boolean()),
    }),
  },
} as const
