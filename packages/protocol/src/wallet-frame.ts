/**
 * The embedded wallet's frame: every event of interop §1. The modal asks with `{id, type: '@w3m-app/X', payload?}`; the frame answers under the
 * same `id` with `@w3m-frame/X_SUCCESS` and a payload, or `@w3m-frame/X_ERROR` and `{message}`. The names are kept for those who know them; they travel
 * over a pinned port, never by window messages.
 *
 * 1. Only names of {@link walletFrameRequests} are requests; a message with any other type, or a payload its schema does not take, is dropped.
 * 2. A reply counts only for the request whose name it carries.
 * 3. Every request has a success and an error reply.
 */
import * as z from 'zod/mini'
import { SocialProvider } from './features'
import { limits } from './limits'
import { Metadata, ThemeMode } from './page-link'

const Nothing = z.optional(z.null())
const ChainId = z.union([z.string(), z.number()])
const EmbeddedAccountType = z.enum(['eoa', 'smartAccount'])
const Otp = z.object({ otp: z.string() })

/** Embedded-wallet user (spec §3). */
export const WalletUser = z.object({
  email: z.nullish(z.string()),
  address: z.string(),
  chainId: ChainId,
  accounts: z.optional(z.array(z.object({ address: z.string(), type: EmbeddedAccountType }))),
  userName: z.nullish(z.string()),
  smartAccountDeployed: z.optional(z.boolean()),
  preferredAccountType: z.optional(EmbeddedAccountType),
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
    payload: z.object({ method: z.string().check(z.minLength(1), z.maxLength(128)), params: z.optional(z.unknown()) }),
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
  | { readonly id: string; readonly ok: false; readonly message: string }

/** What the frame says unasked. */
export type WalletFrameNotice =
  | { readonly name: 'READY'; readonly version?: string | undefined }
  | { readonly name: 'SESSION_UPDATE'; readonly token: string }

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
  if (!reply.ok) return { id, type: `${framePrefix}${name}_ERROR`, payload: { message: reply.message } }
  return { id, type: `${framePrefix}${name}_SUCCESS`, ...(reply.payload !== undefined && { payload: reply.payload }) }
}

const ErrorPayload = z.object({ message: z.string() })

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
  return { id, ok: false, message: failed.data.message }
}

const Ready = z.object({
  type: z.literal(`${framePrefix}READY`),
  payload: z.nullish(z.object({ version: z.optional(z.string()) })),
})
const SessionUpdate = z.object({
  type: z.literal(`${framePrefix}SESSION_UPDATE`),
  payload: z.object({ token: z.string() }),
})
const Notice = z.discriminatedUnion('type', [Ready, SessionUpdate])
export type WalletFrameNoticeMessage = z.infer<typeof Notice>

/** Writes what the frame says unasked. */
export function walletFrameNotice(notice: WalletFrameNotice): WalletFrameNoticeMessage {
  if (notice.name === 'SESSION_UPDATE') {
    return { type: `${framePrefix}SESSION_UPDATE`, payload: { token: notice.token } }
  }
  return { type: `${framePrefix}READY`, payload: { version: notice.version } }
}

/** Reads it; null for everything else. */
export function parseWalletFrameNotice(value: unknown): WalletFrameNotice | null {
  const parsed = Notice.safeParse(value)
  if (!parsed.success) return null
  const { type, payload } = parsed.data
  if (type === `${framePrefix}SESSION_UPDATE`) return { name: 'SESSION_UPDATE', token: payload.token }
  return { name: 'READY', version: payload?.version }
}
