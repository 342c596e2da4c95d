/**
 * Messages between the modal and the embedded wallet's frame, as in interop §1, over a pinned port.
 *
 * 1. Only names of {@link walletFrameRequests} are requests. An invalid payload gets an error reply.
 * 2. A reply is accepted only for the request whose name it has.
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

export type WalletFrameRequest = {
  readonly id: string
  readonly name: WalletFrameRequestName
  readonly payload?: unknown
}

export type WalletFrameReply<N extends WalletFrameRequestName> =
  | { readonly id: string; readonly ok: true; readonly payload: WalletFrameSuccess<N> }
  | ({ readonly id: string; readonly ok: false } & WalletFrameError)

/** `rpc`, `data`: from the chain. */
export type WalletFrameError = {
  readonly message: string
  readonly code?: ErrorCode
  readonly rpc?: number
  readonly data?: unknown
}

export function walletFrameRequest<N extends WalletFrameRequestName>(
  id: string,
  name: N,
  payload: WalletFramePayload<N>,
): WalletFrameMessage {
  return { id, type: appPrefix + name, ...(payload !== undefined && { payload }) }
}

/** Null if not a request. Does not check the payload. */
export function parseWalletFrameRequest(value: unknown): WalletFrameRequest | null {
  const message = WalletFrameMessage.safeParse(value)
  if (!message.success) return null
  const { id, type, payload } = message.data
  const name = type.startsWith(appPrefix) ? type.slice(appPrefix.length) : ''
  return isWalletFrameRequestName(name) ? { id, name, payload } : null
}

export function parseWalletFramePayload<N extends WalletFrameRequestName>(
  name: N,
  payload: unknown,
): { readonly payload: WalletFramePayload<N> } | null {
  const parsed = walletFrameRequests[name].payload.safeParse(payload)
  return parsed.success ? { payload: parsed.data } : null
}

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

/** Null if not a reply to this name. */
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
