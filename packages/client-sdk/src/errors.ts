/** Only the texts that the page itself raises; `errors.test.ts` keeps them equal to the protocol's catalogue. */
import type { ErrorDetails } from './types'

export type Text = readonly [message: string, rpc?: number]

export const texts = {
  USER_REJECTED: ['User rejected the request', 4001],
  UNAUTHORIZED: ['The requested account or method has not been authorized by the user', 4100],
  DISCONNECTED: ['The provider is disconnected from all chains', 4900],
  INVALID_REQUEST: ['The request isn’t valid', -32600],
  INVALID_PARAMS: ['Invalid method parameters', -32602],
  INTERNAL: ['Internal error', -32603],
  DESTROYED: ['This instance has been destroyed', 4900],
  IFRAME_LOAD_FAILED: ['Unable to load email login dependency'],
} as const satisfies Record<string, Text>

export type PageErrorCode = keyof typeof texts

/** Rejection of an instance's methods. `code` is stable; `docs` is a path in the repository. */
export class PosternError extends Error {
  override readonly name = 'PosternError'
  readonly code: string
  /** EIP-1193 or JSON-RPC number. */
  readonly rpc: number | undefined
  readonly data: unknown
  readonly docs: string

  constructor(error: ErrorDetails, cause?: unknown) {
    super(error.message, { cause })
    this.code = error.code
    this.rpc = error.rpc
    this.data = error.data
    this.docs = docsOf(error.code)
  }
}

/** Rejection of a provider: `code` is the EIP-1193 or JSON-RPC number, `reason` the stable code. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  readonly reason: string
  readonly data: unknown
  readonly docs: string

  constructor(error: PosternError) {
    super(error.message, { cause: error })
    this.code = error.rpc ?? -32603
    this.reason = error.code
    this.data = error.data
    this.docs = error.docs
  }
}

function docsOf(code: string): string {
  return `docs/reference/errors.md#${code.toLowerCase()}`
}

export function failure(code: PageErrorCode, cause?: unknown): PosternError {
  return failureOf(code, texts[code], cause)
}

export function failureOf(code: string, [message, rpc]: Text, cause?: unknown): PosternError {
  return new PosternError(rpc === undefined ? { code, message } : { code, message, rpc }, cause)
}

/** By name: lazy code may be bundled with a copy of the class. */
export function isPosternError(value: unknown): value is PosternError {
  try {
    return value instanceof Error && value.name === 'PosternError'
  } catch {
    // Its getters may throw.
    return false
  }
}
