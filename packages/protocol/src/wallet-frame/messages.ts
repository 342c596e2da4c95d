/**
 * How requests to the embedded wallet's frame and their replies travel. The modal asks with `{id, type: '@w3m-app/X', payload?}`; the frame answers under the
 * same `id` with `@w3m-frame/X_SUCCESS` and a payload, or `@w3m-frame/X_ERROR` and `{message, code?}`. The names are kept for those who know them; they travel
 * over a pinned port, never by window messages.
 *
 * 1. Only names of {@link walletFrameRequests} are requests; a message with any other type, or a payload its schema does not take, is dropped.
 * 2. A reply counts only for the request whose name it carries.
 * 3. Every request has a success and an error reply.
 */
import * as z from 'zod/mini'
import { type ErrorCode, isErrorCode } from '../errors'
import { appPrefix, framePrefix } from './fields'
import {
  isWalletFrameRequestName,
  type WalletFramePayload,
  type WalletFrameRequestName,
  type WalletFrameSuccess,
  walletFrameRequests,
} from './requests'

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
  return isWalletFrameRequestName(name) ? { id, name, payload } : null
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
