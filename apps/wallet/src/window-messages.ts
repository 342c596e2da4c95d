/**
 * The protocol between the wallet window and the frame, on one origin.
 *
 * The window posts a {@link WindowHello} with a port to `window.opener.frames[i]`, targeted at its own origin. The
 * frame checks origin and ticket. Then the window sends requests, and the frame responds.
 *
 * 1. The frame calls the gateway and stores the shares. The window shows and takes secrets.
 * 2. A passphrase, passkey secret or seed never leaves the window. Only a non-extractable unwrapped key crosses, or two
 *    shares, one of them encrypted with such a key.
 * 3. {@link WindowBye}, or a port that ends without `done`, means that the other end has closed.
 */
import {
  ApprovalRequest,
  Email,
  type ErrorCode,
  isErrorCode,
  Recovery,
  ThemeMode,
  WalletAddresses,
  WalletApiUser,
  WalletStorage,
  WalletWindowPurpose,
} from '@postern/protocol'
import * as z from 'zod/mini'
import type { SealedShare } from './contract'

const Secret = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
const Id = z.string().check(z.minLength(1), z.maxLength(64))
const Code = z.string().check(z.regex(/^\d{6}$/))

const CryptoKeyValue = z.custom<CryptoKey>((value) => typeof CryptoKey === 'function' && value instanceof CryptoKey)
/** WebCrypto requires an `ArrayBuffer`, not a shared one. */
const Bytes = z.custom<Uint8Array<ArrayBuffer>>(
  (value) => value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength <= 4096,
)

const ShareBinding = z.object({
  version: z.literal(2),
  userId: Id,
  addresses: WalletAddresses,
  generation: z.int().check(z.gte(0)),
})

const SealedShareValue: z.ZodMiniType<SealedShare> = z.object({
  key: CryptoKeyValue,
  iv: Bytes,
  bytes: Bytes,
  binding: z.optional(ShareBinding),
})

/** Only the frame opens these windows; the modal cannot get their URL. */
const FramePurpose = z.enum(['approve', 'email', 'deleteAccount'])
export type FramePurpose = z.infer<typeof FramePurpose>
export const WindowPurpose = z.union([WalletWindowPurpose, FramePurpose])
export type WindowPurpose = z.infer<typeof WindowPurpose>

/** Carries one port. `ticket`: from the window's URL. */
export const WindowHello = z.strictObject({
  type: z.literal('postern:window-hello'),
  v: z.literal(1),
  /** A page may have frames of two projects. */
  projectId: z.string(),
  purpose: WindowPurpose,
  ticket: Secret,
})
export type WindowHello = z.infer<typeof WindowHello>

/** From the page that ends a social sign-in (same origin, no port). */
export const SocialTicket = z.strictObject({
  type: z.literal('postern:social-ticket'),
  v: z.literal(1),
  flow: Secret,
  ticket: Secret,
})
export type SocialTicket = z.infer<typeof SocialTicket>

export const SocialTaken = z.strictObject({ type: z.literal('postern:social-taken'), v: z.literal(1), flow: Secret })
export type SocialTaken = z.infer<typeof SocialTaken>

export const windowUrlParameters = { projectId: 'projectId', purpose: 'purpose', ticket: 'ticket' } as const

/* Stored data */

/** P-256, ECDSA; the private half is not extractable. */
const SessionKey = z.object({ privateKey: CryptoKeyValue, publicKey: CryptoKeyValue })
export type SessionKey = z.infer<typeof SessionKey>

/** An entry without a key (an earlier version) is ignored. */
export const StoredSession = z.object({
  token: Secret,
  key: SessionKey,
  /** Epoch ms. */
  expiresAt: z.number(),
  user: WalletApiUser,
})
export type StoredSession = z.infer<typeof StoredSession>

export const StoredEmailFlow = z.object({
  id: Id,
  email: Email,
  step: z.enum(['device', 'code']),
  /** Epoch ms. */
  expiresAt: z.number(),
})
export type StoredEmailFlow = z.infer<typeof StoredEmailFlow>

/** `device` or `previous` always matches the gateway's share. */
export const StoredShare = z.object({
  userId: Id,
  device: SealedShareValue,
  previous: z.optional(SealedShareValue),
  /** Newest generation that this device made a split for; 0 if missing. */
  generation: z.optional(z.int().check(z.gte(0))),
  /** No user has seen its addresses. */
  isNew: z.optional(z.literal(true)),
  isMismatched: z.optional(z.literal(true)),
  /** `previous` replaces `device` if that opens the wallet. */
  isRefused: z.optional(z.literal(true)),
})
export type StoredShare = z.infer<typeof StoredShare>

export const StoredPreferences = z.object({
  /** By CAIP-2 id. */
  accountTypes: z.optional(z.record(z.string().check(z.maxLength(64)), z.enum(['eoa', 'smartAccount']))),
  networkId: z.optional(z.string().check(z.maxLength(64))),
  /** By owner address; the same on every chain. */
  smartAccounts: z.optional(z.record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(64)))),
})
export type StoredPreferences = z.infer<typeof StoredPreferences>

/** Max users with a share on one device. */
export const maxShares = 256

export const WalletRecord = z.object({
  deviceToken: Secret,
  session: z.nullable(StoredSession),
  shares: z.array(StoredShare).check(z.maxLength(maxShares)),
  /** Of replaced wallets. */
  previousShares: z.optional(z.array(StoredShare).check(z.maxLength(maxShares))),
  preferences: StoredPreferences,
})
export type WalletRecord = z.infer<typeof WalletRecord>

/* The port */

export const WindowContext = z.object({
  kind: z.literal('context'),
  purpose: WindowPurpose,
  projectName: z.string(),
  /** As the browser reports it. */
  origin: z.string(),
  /** Null if signed out: `keep` then loads the window's record. */
  user: z.nullable(WalletApiUser),
  storage: WalletStorage,
  recovery: z.nullable(Recovery),
  addresses: z.nullable(WalletAddresses),
  themeMode: z.optional(ThemeMode),
})
export type WindowContext = z.infer<typeof WindowContext>

export const WaitingApproval = z.object({
  request: ApprovalRequest,
  /** Includes this one. */
  queued: z.int().check(z.gte(1)),
  asker: z.enum(['dapp', 'visitor']),
  dappName: z.optional(z.string()),
})
export type WaitingApproval = z.infer<typeof WaitingApproval>

/** For `approve`, after the context and on each change. */
export const WindowApproval = z.object({ kind: z.literal('approval'), approval: z.nullable(WaitingApproval) })
export type WindowApproval = z.infer<typeof WindowApproval>

const Nothing = z.optional(z.null())

const asks = {
  /** Emails a code for a later request. */
  confirm: {
    payload: z.object({ purpose: z.enum(['export', 'recovery', 'move', 'deletePrevious', 'delete']) }),
    answer: z.object({ needsCode: z.boolean() }),
  },
  /** `addresses`: those that the recovery key is bound to. The new share is stored before the response. */
  setRecovery: {
    payload: z.object({ recovery: Recovery, addresses: z.optional(WalletAddresses), otp: z.optional(Code) }),
    answer: Nothing,
  },
  /** As `setRecovery`, for a new wallet that replaces the old. */
  replaceWallet: {
    payload: z.object({ recovery: Recovery, addresses: WalletAddresses, otp: z.optional(Code) }),
    answer: Nothing,
  },
  /** `addresses`: those that the user saw. */
  deletePrevious: { payload: z.object({ addresses: WalletAddresses, otp: z.optional(Code) }), answer: Nothing },
  /** Signs the user out before the response. */
  deleteAccount: { payload: z.object({ otp: z.optional(Code) }), answer: Nothing },
  /** As `setRecovery`, for a new wallet. */
  createWallet: { payload: z.object({ recovery: Recovery, addresses: WalletAddresses }), answer: Nothing },
  /** Consumes the code. */
  exportSource: {
    payload: z.object({ otp: z.optional(Code) }),
    answer: z.object({ device: SealedShareValue, authShare: z.string(), addresses: WalletAddresses }),
  },
  /** ECDH P-256, not extractable, and the addresses that it is bound to. The response means that the wallet is open. */
  unlock: {
    payload: z.object({ recoveryKey: CryptoKeyValue, addresses: z.optional(WalletAddresses) }),
    answer: Nothing,
  },
  /** For `keep` while signed in: creates a missing share and row. */
  takeRecord: { payload: Nothing, answer: WalletRecord },
  /** For `keep`: from now on the frame's storage is `window`. */
  kept: { payload: Nothing, answer: Nothing },
  /** For `keep` while signed out: the frame continues with this record. */
  giveRecord: { payload: WalletRecord, answer: z.object({ signedIn: z.boolean() }) },
  /** `step`: the address whose code comes next. */
  emailChange: {
    payload: Nothing,
    answer: z.object({ email: z.string(), newEmail: z.string(), step: z.enum(['primary', 'secondary']) }),
  },
  emailAgain: { payload: Nothing, answer: Nothing },
  emailPrimary: { payload: z.object({ otp: Code }), answer: Nothing },
  /** As `emailChangeSecondary` of the wallet API. */
  emailSecondary: {
    payload: z.object({ otp: Code }),
    answer: z.object({ undoUntil: z.optional(z.number()), isProven: z.optional(z.boolean()) }),
  },
  approvalFacts: {
    payload: z.pick(ApprovalRequest, { id: true }),
    answer: z.object({
      own: z.array(z.string()),
      known: z.object({ recipients: z.array(z.string()), contracts: z.array(z.string()) }),
    }),
  },
  /** INVALID_REQUEST if it no longer waits. */
  approve: { payload: z.pick(ApprovalRequest, { id: true, digest: true }), answer: Nothing },
  reject: { payload: z.pick(ApprovalRequest, { id: true }), answer: Nothing },
  /** The window closes after the response. AWAIT_WINDOW settles. */
  done: { payload: Nothing, answer: Nothing },
} as const

/** The window does not know whether these were done if it gets no response. */
export const changingAsks: ReadonlySet<WindowAskName> = new Set<WindowAskName>([
  'setRecovery',
  'replaceWallet',
  'deletePrevious',
  'deleteAccount',
  'createWallet',
  'emailPrimary',
  'emailSecondary',
  'approve',
])

export type WindowAskName = keyof typeof asks
export type WindowAskPayload<N extends WindowAskName> = z.infer<(typeof asks)[N]['payload']>
export type WindowAskAnswer<N extends WindowAskName> = z.infer<(typeof asks)[N]['answer']>

export const windowAsks: {
  readonly [N in WindowAskName]: {
    readonly payload: z.ZodMiniType<WindowAskPayload<N>>
    readonly answer: z.ZodMiniType<WindowAskAnswer<N>>
  }
} = asks

/** Also sent on `pagehide`: not every browser reports a closed port. */
export const WindowBye = z.strictObject({ kind: z.literal('bye') })
export type WindowBye = z.infer<typeof WindowBye>

const Ask = z.object({ kind: z.literal('ask'), id: Id, name: z.string(), payload: z.optional(z.unknown()) })

export type WindowAsk = { readonly id: string; readonly name: WindowAskName; readonly payload?: unknown }

function isAskName(name: string): name is WindowAskName {
  return Object.hasOwn(asks, name)
}

export function parseWindowAsk(value: unknown): WindowAsk | null {
  const parsed = Ask.safeParse(value)
  if (!parsed.success || !isAskName(parsed.data.name)) return null
  const { id, name, payload } = parsed.data
  return { id, name, payload }
}

const Answer = z.union([
  z.object({ kind: z.literal('answer'), id: Id, ok: z.literal(true), payload: z.optional(z.unknown()) }),
  z.object({
    kind: z.literal('answer'),
    id: Id,
    ok: z.literal(false),
    code: z.custom<ErrorCode>(isErrorCode),
    message: z.string(),
  }),
])
export type WindowAnswer = z.infer<typeof Answer>

export function parseWindowAnswer(value: unknown): WindowAnswer | null {
  const parsed = Answer.safeParse(value)
  return parsed.success ? parsed.data : null
}
