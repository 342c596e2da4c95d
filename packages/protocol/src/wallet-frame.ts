/**
 * The embedded wallet's frame: every event of interop §1, and those that its list lacks (approval, recovery, devices, the wallet's own window). The modal asks with `{id, type: '@w3m-app/X', payload?}`; the frame answers under the
 * same `id` with `@w3m-frame/X_SUCCESS` and a payload, or `@w3m-frame/X_ERROR` and `{message, code?}`. The names are kept for those who know them; they travel
 * over a pinned port, never by window messages.
 *
 * 1. Only names of {@link walletFrameRequests} are requests; a message with any other type, or a payload its schema does not take, is dropped.
 * 2. A reply counts only for the request whose name it carries.
 * 3. Every request has a success and an error reply.
 */
import * as z from 'zod/mini'
import { ApprovalRequest } from './approval'
import { CaipNetworkId } from './caip'
import { NetworkDefinition } from './entities'
import { type ErrorCode, isErrorCode } from './errors'
import { SocialProvider } from './features'
import { limits } from './limits'
import { Metadata, ThemeMode } from './page-link'

const Nothing = z.optional(z.null())
const ChainId = z.union([z.string(), z.number()])
const EmbeddedAccountType = z.enum(['eoa', 'smartAccount'])
const Otp = z.object({ otp: z.string() })

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

const { walletFrameRequestTimeout } = limits

/* ---------------------------------------------------------------- the handshake */

/** Posted by the frame to its parent when it can be spoken to. Empty: it says that there is somebody, not who. */
export const walletKnock = 'postern:wallet-ready'

/** Sent with a port by the modal host to its own frame, at the wallet's origin only. The frame takes it from its parent, at the modal's origin only. */
export const WalletHello = z.strictObject({ type: z.literal('postern:wallet-hello'), v: z.literal(1) })
export type WalletHello = z.infer<typeof WalletHello>

/** Id of the `<script type="application/json">` block in which the gateway hands the wallet's pages what they need. */
export const walletPageElementId = 'postern-wallet'

/** What the gateway writes into `sdk.html` and `window.html`. */
export const WalletFramePage = z.object({
  projectId: z.string().check(z.minLength(1), z.maxLength(64)),
  projectName: z.string(),
  /** The only origin that the frame speaks with. */
  modalOrigin: z.string(),
  /** Serialised origins of the project, and whether the default ancestors are allowed too (`origins.ts`). */
  allowedOrigins: z.array(z.string()),
  defaultAncestors: z.boolean(),
  /** Networks that this gateway knows beyond the built-in ones; every request goes through it (`/v1/…` on the wallet's own origin). */
  networks: z.array(NetworkDefinition),
  /** EVM chain ids with a bundler behind `/v1/bundler`; smart accounts exist on these alone. `paymaster` says that `/v1/paymaster` pays there. */
  smartAccounts: z.array(z.object({ chainId: z.int().check(z.positive()), paymaster: z.boolean() })),
  /** Only those with credentials. */
  socials: z.array(SocialProvider),
  farcaster: z.boolean(),
  email: z.boolean(),
  smartSessions: z.boolean(),
})
export type WalletFramePage = z.infer<typeof WalletFramePage>

/* ---------------------------------------------------------------- recovery, devices, storage */

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

/** `timeout` in ms; 0 where a person is being waited for, or only the end of the link ends the wait. */
const requests = {
  SWITCH_NETWORK: { payload: z.object({ chainId: ChainId }), success: z.object({ chainId: ChainId }), timeout: 0 },
  CONNECT_EMAIL: {
    payload: z.object({ email: z.string() }),
    success: z.object({ action: z.enum(['VERIFY_DEVICE', 'VERIFY_OTP', 'CONNECT']) }),
    timeout: walletFrameRequestTimeout,
  },
  /** Settles when the mailed link was followed. */
  CONNECT_DEVICE: { payload: Nothing, success: Nothing, timeout: walletFrameRequestTimeout },
  CONNECT_OTP: { payload: Otp, success: Nothing, timeout: walletFrameRequestTimeout },
  GET_SOCIAL_REDIRECT_URI: {
    payload: z.object({ provider: SocialProvider }),
    success: z.object({ uri: z.string() }),
    timeout: walletFrameRequestTimeout,
  },
  CONNECT_SOCIAL: {
    payload: z.object({
      uri: z.string(),
      preferredAccountType: z.optional(EmbeddedAccountType),
      chainId: z.optional(ChainId),
    }),
    success: WalletUser,
    timeout: walletFrameRequestTimeout,
  },
  GET_FARCASTER_URI: { payload: Nothing, success: z.object({ url: z.string() }), timeout: 0 },
  CONNECT_FARCASTER: { payload: Nothing, success: z.object({ userName: z.string() }), timeout: 0 },
  GET_USER: {
    payload: z.nullish(
      z.object({
        chainId: z.optional(ChainId),
        preferredAccountType: z.optional(EmbeddedAccountType),
        socialUri: z.optional(z.string()),
      }),
    ),
    success: WalletUser,
    timeout: 0,
  },
  SIGN_OUT: { payload: Nothing, success: Nothing, timeout: 0 },
  IS_CONNECTED: {
    payload: z.nullish(z.object({ token: z.string() })),
    success: z.object({ isConnected: z.boolean() }),
    timeout: 0,
  },
  GET_CHAIN_ID: { payload: Nothing, success: z.object({ chainId: ChainId }), timeout: 0 },
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: {
    payload: Nothing,
    success: z.object({ smartAccountEnabledNetworks: z.array(z.number()) }),
    timeout: 0,
  },
  INIT_SMART_ACCOUNT: {
    payload: Nothing,
    success: z.object({ address: z.string(), isDeployed: z.boolean() }),
    timeout: 0,
  },
  SET_PREFERRED_ACCOUNT: {
    payload: z.object({ type: EmbeddedAccountType }),
    success: z.object({ type: EmbeddedAccountType, address: z.string() }),
    timeout: 0,
  },
  /** Whether the method is allowed is `classifyRpcMethod`'s to say, and the answer's kind `classifyRpcResponse`'s. */
  RPC_REQUEST: {
    payload: z.object({
      method: z.string().check(z.minLength(1), z.maxLength(128)),
      params: z.optional(z.unknown()),
      /** CAIP-2 id of the network that it is for; without one the namespace's current one. */
      networkId: z.optional(CaipNetworkId),
    }),
    success: z.unknown(),
    timeout: 0,
  },
  UPDATE_EMAIL: {
    payload: z.object({ email: z.string() }),
    success: z.object({ action: z.enum(['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']) }),
    timeout: 0,
  },
  UPDATE_EMAIL_PRIMARY_OTP: { payload: Otp, success: Nothing, timeout: 0 },
  UPDATE_EMAIL_SECONDARY_OTP: { payload: Otp, success: EmailChange, timeout: 0 },
  SYNC_THEME: { payload: ThemeSync, success: Nothing, timeout: 0 },
  SYNC_DAPP_DATA: {
    payload: z.object({
      metadata: z.optional(Metadata),
      sdkVersion: z.optional(z.string()),
      sdkType: z.optional(z.string()),
      projectId: z.string(),
    }),
    success: Nothing,
    timeout: 0,
  },
  /** Calls off the request of that id. */
  RPC_ABORT: { payload: z.object({ id: z.string() }), success: Nothing, timeout: 0 },
  RELOAD: { payload: Nothing, success: Nothing, timeout: 0 },

  /* ---- beyond interop §1 */
  /**
   * The visitor's word about an `APPROVAL_REQUEST`. `digest` is that of the request as it was shown: the frame signs nothing else, once. RPC_REQUEST then
   * settles; a refused one fails with USER_REJECTED.
   */
  APPROVE: {
    payload: z.object({ id: z.string().check(z.maxLength(64)), digest: z.string().check(z.maxLength(128)) }),
    success: Nothing,
    timeout: 0,
  },
  REJECT: { payload: z.object({ id: z.string().check(z.maxLength(64)) }), success: Nothing, timeout: 0 },
  /** The six digits that the page of a social sign-in shows where it cannot reach the frame by itself. CONNECT_SOCIAL then settles. */
  SOCIAL_CODE: { payload: Otp, success: Nothing, timeout: walletFrameRequestTimeout },
  /** What is kept where; `recovery` is null until a wallet exists. */
  GET_SECURITY: {
    payload: Nothing,
    success: z.object({
      storage: WalletStorage,
      recovery: z.nullable(RecoveryMethod),
      devices: z.array(WalletDevice),
    }),
    timeout: walletFrameRequestTimeout,
  },
  REVOKE_DEVICE: {
    payload: z.object({ id: z.string().check(z.maxLength(64)) }),
    success: Nothing,
    timeout: walletFrameRequestTimeout,
  },
  /** Asks for storage that the visitor just granted to the modal (Storage Access API); answers with the rung reached. */
  USE_GRANTED_STORAGE: {
    payload: Nothing,
    success: z.object({ storage: WalletStorage }),
    timeout: walletFrameRequestTimeout,
  },
  /** The URL of the wallet's own window. The modal opens it inside the click, and the window finds the frame by itself. */
  GET_WINDOW_URI: {
    payload: z.object({ purpose: WalletWindowPurpose }),
    success: z.object({ uri: z.string() }),
    timeout: walletFrameRequestTimeout,
  },
  /** Settles when the window did what it was opened for; fails with WINDOW_CLOSED when it was closed first. */
  AWAIT_WINDOW: { payload: z.object({ purpose: WalletWindowPurpose }), success: Nothing, timeout: 0 },
  /** Mails a fresh code for what the session alone does not allow. No code is needed of an account without an address; DELETE_ACCOUNT then says ''. */
  REQUEST_CODE: {
    payload: z.object({ purpose: z.enum(['delete']) }),
    success: z.nullish(z.object({ needsCode: z.boolean() })),
    timeout: walletFrameRequestTimeout,
  },
  DELETE_ACCOUNT: { payload: Otp, success: Nothing, timeout: walletFrameRequestTimeout },
} as const

export type WalletFrameRequestName = keyof typeof requests
export type WalletFramePayload<N extends WalletFrameRequestName> = z.infer<(typeof requests)[N]['payload']>
export type WalletFrameSuccess<N extends WalletFrameRequestName> = z.infer<(typeof requests)[N]['success']>

/** The table of requests. Typed name by name, so that a generic reader gets the type that belongs to its name. */
export const walletFrameRequests: {
  readonly [N in WalletFrameRequestName]: {
    readonly payload: z.ZodMiniType<WalletFramePayload<N>>
    readonly success: z.ZodMiniType<WalletFrameSuccess<N>>
    readonly timeout: number
  }
} = requests

const WalletFrameMessage = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  type: z.string().check(z.maxLength(64)),
  payload: z.optional(z.unknown()),
})
export type WalletFrameMessage = z.infer<typeof WalletFrameMessage>

/** A request as it arrives in the frame. Its payload is still to be read by {@link parseWalletFramePayload}. */
export type WalletFrameRequest = {
  readonly id: string
  readonly name: WalletFrameRequestName
  readonly payload?: unknown
}

export type WalletFrameReply<N extends WalletFrameRequestName> =
  | { readonly id: string; readonly ok: true; readonly payload: WalletFrameSuccess<N> }
  | ({ readonly id: string; readonly ok: false } & WalletFrameError)

/** What an error reply says. `rpc` and `data` are what a chain said of a dapp's request. */
export type WalletFrameError = {
  readonly message: string
  readonly code?: ErrorCode
  readonly rpc?: number
  readonly data?: unknown
}

/** What the frame says unasked. */
export type WalletFrameNotice =
  | { readonly name: 'READY'; readonly version?: string | undefined }
  | { readonly name: 'SESSION_UPDATE'; readonly token: string }
  /** A not-safe request waits for APPROVE or REJECT under its id. */
  | { readonly name: 'APPROVAL_REQUEST'; readonly request: ApprovalRequest }
  /** An approval is no longer wanted: its request was called off, or has lapsed. */
  | { readonly name: 'APPROVAL_CLOSED'; readonly id: string }
  /** The session is over although nobody here ended it: revoked, expired, deleted. */
  | { readonly name: 'SESSION_ENDED' }
  /** The page of the social sign-in cannot reach the frame, and shows six digits: CONNECT_SOCIAL waits for SOCIAL_CODE. */
  | { readonly name: 'SOCIAL_CODE_WANTED' }

const appPrefix = '@w3m-app/'
const framePrefix = '@w3m-frame/'

function isRequestName(name: string): name is WalletFrameRequestName {
  return Object.hasOwn(requests, name)
}

/** Writes a request. */
export function walletFrameRequest<N extends WalletFrameRequestName>(
  id: string,
  name: N,
  payload: WalletFramePayload<N>,
): WalletFrameMessage {
  return { id, type: appPrefix + name, ...(payload !== undefined && { payload }) }
}

/** Reads a request in the frame; null for everything that is none. A request whose payload is wrong is still owed its error reply. */
export function parseWalletFrameRequest(value: unknown): WalletFrameRequest | null {
  const message = WalletFrameMessage.safeParse(value)
  if (!message.success) return null
  const { id, type, payload } = message.data
  const name = type.startsWith(appPrefix) ? type.slice(appPrefix.length) : ''
  return isRequestName(name) ? { id, name, payload } : null
}

/** The payload of a request of this name, or null where it does not fit. */
export function parseWalletFramePayload<N extends WalletFrameRequestName>(
  name: N,
  payload: unknown,
): { readonly payload: WalletFramePayload<N> } | null {
  const parsed = walletFrameRequests[name].payload.safeParse(payload)
  return parsed.success ? { payload: parsed.data } : null
}

/** Writes the reply to a request. */
export function walletFrameReply<N extends WalletFrameRequestName>(
  name: N,
  reply: WalletFrameReply<N>,
): WalletFrameMessage {
  const { id } = reply
  if (!reply.ok) {
    const { message, code, rpc, data } = reply
    const payload = {
      message,
      ...(code !== undefined && { code }),
      ...(rpc !== undefined && { rpc }),
      ...(data !== undefined && { data }),
    }
    return { id, type: `${framePrefix}${name}_ERROR`, payload }
  }
  return { id, type: `${framePrefix}${name}_SUCCESS`, ...(reply.payload !== undefined && { payload: reply.payload }) }
}

const ErrorPayload = z.object({
  message: z.string(),
  code: z.optional(z.unknown()),
  rpc: z.optional(z.unknown()),
  data: z.optional(z.unknown()),
})

/** Reads the reply to a request of this name; null for everything that is none. */
export function parseWalletFrameReply<N extends WalletFrameRequestName>(
  name: N,
  value: unknown,
): WalletFrameReply<N> | null {
  const message = WalletFrameMessage.safeParse(value)
  if (!message.success) return null
  const { id, type, payload } = message.data
  if (type === `${framePrefix}${name}_SUCCESS`) {
    const parsed = walletFrameRequests[name].success.safeParse(payload)
    return parsed.success ? { id, ok: true, payload: parsed.data } : null
  }
  const failed = ErrorPayload.safeParse(payload)
  if (type !== `${framePrefix}${name}_ERROR` || !failed.success) return null
  const { message: text, code, rpc, data } = failed.data
  return {
    id,
    ok: false,
    message: text,
    ...(isErrorCode(code) && { code }),
    ...(typeof rpc === 'number' && { rpc }),
    ...(data !== undefined && { data }),
  }
}

const Ready = z.object({
  type: z.literal(`${framePrefix}READY`),
  payload: z.nullish(z.object({ version: z.optional(z.string()) })),
})
const SessionUpdate = z.object({
  type: z.literal(`${framePrefix}SESSION_UPDATE`),
  payload: z.object({ token: z.string() }),
})
const ApprovalNotice = z.object({
  type: z.literal(`${framePrefix}APPROVAL_REQUEST`),
  payload: ApprovalRequest,
})
const ApprovalClosed = z.object({
  type: z.literal(`${framePrefix}APPROVAL_CLOSED`),
  payload: z.object({ id: z.string() }),
})
const SessionEnded = z.object({ type: z.literal(`${framePrefix}SESSION_ENDED`) })
const SocialCodeWanted = z.object({ type: z.literal(`${framePrefix}SOCIAL_CODE_WANTED`) })
const Notice = z.discriminatedUnion('type', [
  Ready,
  SessionUpdate,
  ApprovalNotice,
  ApprovalClosed,
  SessionEnded,
  SocialCodeWanted,
])
export type WalletFrameNoticeMessage = z.infer<typeof Notice>

/** Writes what the frame says unasked. */
export function walletFrameNotice(notice: WalletFrameNotice): WalletFrameNoticeMessage {
  switch (notice.name) {
    case 'READY':
      return { type: `${framePrefix}READY`, payload: { version: notice.version } }
    case 'SESSION_UPDATE':
      return { type: `${framePrefix}SESSION_UPDATE`, payload: { token: notice.token } }
    case 'APPROVAL_REQUEST':
      return { type: `${framePrefix}APPROVAL_REQUEST`, payload: notice.request }
    case 'APPROVAL_CLOSED':
      return { type: `${framePrefix}APPROVAL_CLOSED`, payload: { id: notice.id } }
    case 'SESSION_ENDED':
      return { type: `${framePrefix}SESSION_ENDED` }
    case 'SOCIAL_CODE_WANTED':
      return { type: `${framePrefix}SOCIAL_CODE_WANTED` }
  }
}

/** Reads it; null for everything else. */
export function parseWalletFrameNotice(value: unknown): WalletFrameNotice | null {
  const parsed = Notice.safeParse(value)
  if (!parsed.success) return null
  const notice = parsed.data
  switch (notice.type) {
    case `${framePrefix}READY`:
      return { name: 'READY', version: notice.payload?.version }
    case `${framePrefix}SESSION_UPDATE`:
      return { name: 'SESSION_UPDATE', token: notice.payload.token }
    case `${framePrefix}APPROVAL_REQUEST`:
      return { name: 'APPROVAL_REQUEST', request: notice.payload }
    case `${framePrefix}APPROVAL_CLOSED`:
      return { name: 'APPROVAL_CLOSED', id: notice.payload.id }
    case `${framePrefix}SESSION_ENDED`:
      return { name: 'SESSION_ENDED' }
    case `${framePrefix}SOCIAL_CODE_WANTED`:
      return { name: 'SOCIAL_CODE_WANTED' }
  }
}
