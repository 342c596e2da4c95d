/** `errors.test.ts` compares these with the protocol's catalogue. */
import type { ErrorDetails } from '../types/index'

export type Text = readonly [message: string, fix: string, rpc?: number]

export const texts = {
  UNAUTHORIZED: [
    'The requested account or method has not been authorized by the user',
    'Connect a wallet, and use an account that it shared.',
    4100,
  ],
  DISCONNECTED: [
    'The provider is disconnected from all chains',
    'Connect a wallet, then send the request again.',
    4900,
  ],
  INVALID_REQUEST: ['The request isn’t valid', 'Send an object with `method` and `params`.', -32600],
  DESTROYED: ['This instance has been destroyed', 'Call `createPostern` again.', 4900],
  LOAD_FAILED: [
    'The modal, or a part of it, could not be loaded',
    'Check your connection, content blockers and the page’s `frame-src`, then try again.',
  ],
} as const satisfies Record<string, Text>

export type PageErrorCode = keyof typeof texts

/** `errors.test.ts` compares it with the protocol. */
const docsUrl = 'https://docs.postern.dev/reference/errors#'

/** `code` is stable; `docs` is its page's URL. `fix` is for developers, not for users. */
export class PosternError extends Error {
  override readonly name = 'PosternError'
  declare readonly code: string
  /** EIP-1193 or JSON-RPC number. */
  declare readonly rpc: number | undefined
  declare readonly data: unknown
  declare readonly fix: string | undefined
  declare readonly docs: string

  constructor(error: ErrorDetails, cause?: unknown) {
    super(error.message, { cause })
    Object.assign(this, error)
    this.docs = docsUrl + error.code.toLowerCase()
  }
}

/** `code` is the EIP-1193 or JSON-RPC number, `reason` the stable code. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  declare readonly code: number
  declare readonly reason: string
  declare readonly data: unknown
  declare readonly fix: string | undefined
  declare readonly docs: string

  constructor(cause: PosternError) {
    super(cause.message, { cause })
    const { code: reason, rpc: code = -32603, data, fix, docs } = cause
    Object.assign(this, { code, reason, data, fix, docs })
  }
}

export function failure(code: PageErrorCode, cause?: unknown): PosternError {
  return failureOf(code, texts[code], cause)
}

export function failureOf(code: string, [message, fix, rpc]: Text, cause?: unknown): PosternError {
  return new PosternError({ code, message, fix, rpc }, cause)
}

/** Lazy code may have its own copy of the class. */
export function isPosternError(value: unknown): value is PosternError {
  try {
    return value instanceof Error && value.name === 'PosternError'
  } catch {
    // A getter may throw.
    return false
  }
}
