/**
 * What the wallet's own window and the frame say to each other. They are of one origin, and find each other directly: the window posts a {@link WindowHello} with a port to
 * `window.opener.frames[i]`, with its own origin as the target; the frame takes it when the browser says that it came from its own origin and its ticket is one that this frame
 * gave out. From then on only the port is used: the window asks, the frame answers.
 *
 * 1. The frame owns the wallet: it talks to the gateway, holds the shares and stores them. The window shows and takes what is secret.
 * 2. A passphrase, a passkey's secret and a seed never leave the window. What crosses is an unwrapped key that cannot be exported, or two shares of which one is
 *    sealed under such a key.
 * 3. Every ask has an answer under its id. The end of the port without `done`, or {@link WindowBye}, means that the window was closed.
 */
import {
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
/** Bytes of our own buffer, so that WebCrypto takes them. */
const Bytes = z.custom<Uint8Array<ArrayBuffer>>(
  (value) => value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength <= 4096,
)

export const SealedShareValue: z.ZodMiniType<SealedShare> = z.object({ key: CryptoKeyValue, iv: Bytes, bytes: Bytes })

/** Posted by the window, with one port. `ticket` stands in the window's own URL (`GET_WINDOW_URI`). */
export const WindowHello = z.strictObject({
  type: z.literal('postern:window-hello'),
  v: z.literal(1),
  /** A page may have the frames of two projects. */
  projectId: z.string(),
  purpose: WalletWindowPurpose,
  ticket: Secret,
})
export type WindowHello = z.infer<typeof WindowHello>

/**
 * Posted to the frame by the page at the end of a social sign-in (no port, same origin). It counts for the flow that this frame began and no
 * other.
 */
export const SocialTicket = z.strictObject({
  type: z.literal('postern:social-ticket'),
  v: z.literal(1),
  flow: Secret,
  ticket: Secret,
})
export type SocialTicket = z.infer<typeof SocialTicket>

/** The frame's answer to the page of a ticket, at its own origin: the page may close. */
export const SocialTaken = z.strictObject({ type: z.literal('postern:social-taken'), v: z.literal(1), flow: Secret })
export type SocialTaken = z.infer<typeof SocialTaken>

/** Parameters of the window's URL: `/window?projectId&purpose&ticket`. */
export const windowUrlParameters = { projectId: 'projectId', purpose: 'purpose', ticket: 'ticket' } as const

/* ---------------------------------------------------------------- what storage holds */

export const StoredSession = z.object({
  token: Secret,
  /** Epoch ms. */
  expiresAt: z.number(),
  user: WalletApiUser,
})
export type StoredSession = z.infer<typeof StoredSession>

/**
 * This device's share of one user's wallet. `previous` is that of the split before, kept until the gateway confirmed the new one: whatever breaks off in between, one of the
 * two fits.
 */
export const StoredShare = z.object({
  userId: Id,
  device: SealedShareValue,
  previous: z.optional(SealedShareValue),
  /** The newest generation of the recovery (`RecoveryProof`) that this device made a split for; 0 where it is missing. */
  generation: z.optional(z.int().check(z.gte(0))),
})
export type StoredShare = z.infer<typeof StoredShare>

export const StoredPreferences = z.object({
  /** By CAIP-2 id: which of the two EVM accounts. */
  accountTypes: z.optional(z.record(z.string().check(z.maxLength(64)), z.enum(['eoa', 'smartAccount']))),
  /** CAIP-2 id of the EVM network. */
  networkId: z.optional(z.string().check(z.maxLength(64))),
  /** By the address of the owner: the smart account's, which is the same on every chain. */
  smartAccounts: z.optional(z.record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(64)))),
})
export type StoredPreferences = z.infer<typeof StoredPreferences>

/** Everything that one storage holds for one project: what the purpose `keep` moves. */
export const WalletRecord = z.object({
  deviceToken: Secret,
  session: z.nullable(StoredSession),
  shares: z.array(StoredShare).check(z.maxLength(32)),
  preferences: StoredPreferences,
})
export type WalletRecord = z.infer<typeof WalletRecord>

/* ---------------------------------------------------------------- the port */

/** The first message of the frame: whom and what the window is for. */
export const WindowContext = z.object({
  kind: z.literal('context'),
  purpose: WalletWindowPurpose,
  projectName: z.string(),
  /** The dapp's, as the browser reports it. */
  origin: z.string(),
  /** Null where nobody is signed in: `keep` then fetches what the window's storage has. */
  user: z.nullable(WalletApiUser),
  storage: WalletStorage,
  /** Null where no wallet exists yet. */
  recovery: z.nullable(Recovery),
  addresses: z.nullable(WalletAddresses),
  /** What the modal shows itself in. */
  themeMode: z.optional(ThemeMode),
})
export type WindowContext = z.infer<typeof WindowContext>

const Nothing = z.optional(z.null())

/** What the window asks. */
const asks = {
  /** Mails a fresh code, which the next two ask for. */
  confirm: {
    payload: z.object({ purpose: z.enum(['export', 'recovery']) }),
    answer: z.object({ needsCode: z.boolean() }),
  },
  /** Makes a new split under this method. The frame has stored its share when this answers. */
  setRecovery: { payload: z.object({ recovery: Recovery, otp: z.optional(Code) }), answer: Nothing },
  /** Spends the code. What the window's own worker rebuilds the key from. */
  exportSource: {
    payload: z.object({ otp: z.optional(Code) }),
    answer: z.object({ device: SealedShareValue, authShare: z.string(), addresses: WalletAddresses }),
  },
  /**
   * The private half of the recovery key (ECDH P-256, not extractable), which the window unwrapped. Answers when the wallet is open on this device.
   */
  unlock: { payload: z.object({ recoveryKey: CryptoKeyValue }), answer: Nothing },
  /** `keep`, signed in: the frame makes this device's share and row where they are missing, and gives what is to be stored. */
  takeRecord: { payload: Nothing, answer: WalletRecord },
  /** `keep`, after the record was stored: the frame's rung is `window` from now on. */
  kept: { payload: Nothing, answer: Nothing },
  /** `keep`, not signed in: what the window's storage holds. The frame goes on with it as if it had been its own. */
  giveRecord: { payload: WalletRecord, answer: z.object({ signedIn: z.boolean() }) },
  /** The window did what it was opened for; it closes after the answer. AWAIT_WINDOW settles. */
  done: { payload: Nothing, answer: Nothing },
} as const

export type WindowAskName = keyof typeof asks
export type WindowAskPayload<N extends WindowAskName> = z.infer<(typeof asks)[N]['payload']>
export type WindowAskAnswer<N extends WindowAskName> = z.infer<(typeof asks)[N]['answer']>

/** The table of asks. Typed name by name, so that a generic reader gets the type that belongs to its name. */
export const windowAsks: {
  readonly [N in WindowAskName]: {
    readonly payload: z.ZodMiniType<WindowAskPayload<N>>
    readonly answer: z.ZodMiniType<WindowAskAnswer<N>>
  }
} = asks

/** Said by the window when its page goes (`pagehide`): not every browser tells the other end of a port. */
export const WindowBye = z.strictObject({ kind: z.literal('bye') })
export type WindowBye = z.infer<typeof WindowBye>

const Ask = z.object({ kind: z.literal('ask'), id: Id, name: z.string(), payload: z.optional(z.unknown()) })

/** An ask as it arrives in the frame; its payload is still to be read by the table's schema. */
export type WindowAsk = { readonly id: string; readonly name: WindowAskName; readonly payload?: unknown }

function isAskName(name: string): name is WindowAskName {
  return Object.hasOwn(asks, name)
}

/** Reads an ask; null for everything that is none. */
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
/** The frame's answer to an ask. `payload` is still to be read by the schema of the ask's name. */
export type WindowAnswer = z.infer<typeof Answer>

/** Reads an answer; null for everything that is none. */
export function parseWindowAnswer(value: unknown): WindowAnswer | null {
  const parsed = Answer.safeParse(value)
  return parsed.success ? parsed.data : null
}
