/**
 * Failures as a dapp sees them. Only the few texts that the page itself can raise are carried here; `errors.test.ts` holds them equal to
 * the catalogue of the protocol.
 */
import type { ErrorDetails } from './types'

type Text = readonly [message: string, rpc?: number]

export const texts = {
  USER_REJECTED: ['User rejected the request', 4001],
  UNAUTHORIZED: ['The requested account or method has not been authorized by the user', 4100],
  UNSUPPORTED_METHOD: ['The provider does not support the requested method', 4200],
  DISCONNECTED: ['The provider is disconnected from all chains', 4900],
  METHOD_NOT_FOUND: ['The method does not exist or is not available', -32601],
  INVALID_REQUEST: ['The request is not valid', -32600],
  INVALID_PARAMS: ['Invalid method parameters', -32602],
  INTERNAL: ['Internal error', -32603],
  TIMEOUT: ['The request took too long'],
  ABORTED: ['Request was aborted'],
  LINK_CLOSED: ['The connection to the modal has ended', 4900],
  DESTROYED: ['This instance has been destroyed', 4900],
  VERSION_MISMATCH: ['The SDK and the modal speak no common version'],
  IFRAME_LOAD_FAILED: ['Unable to load email login dependency'],
  ORIGIN_NOT_ALLOWED: ['Unauthorized: origin not allowed'],
  INVALID_PROJECT_ID: ['Unauthorized: invalid key'],
  PROJECT_ID_NOT_CONFIGURED: ['No project id is configured'],
} as const satisfies Record<string, Text>

export type PageErrorCode = keyof typeof texts

/** Codes of EIP-1193, EIP-1474 and JSON-RPC that wallets throw, by number. */
const codesByNumber: Readonly<Record<number, string>> = {
  4001: 'USER_REJECTED',
  4100: 'UNAUTHORIZED',
  4200: 'UNSUPPORTED_METHOD',
  4900: 'DISCONNECTED',
  4901: 'CHAIN_DISCONNECTED',
  4902: 'CHAIN_NOT_ADDED',
  [-32002]: 'REQUEST_PENDING',
  [-32005]: 'LIMIT_EXCEEDED',
  [-32600]: 'INVALID_REQUEST',
  [-32601]: 'METHOD_NOT_FOUND',
  [-32602]: 'INVALID_PARAMS',
}

/** What the methods of an instance reject with. `code` is stable; `docs` is its explanation, from the root of the repository. */
export class PosternError extends Error {
  override readonly name = 'PosternError'
  readonly code: string
  /** EIP-1193 or JSON-RPC number where there is one. */
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

/** What the provider rejects with: `code` is the number of EIP-1193 or JSON-RPC, `reason` the stable code. */
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
  return `docs/errors.md#${code.toLowerCase()}`
}

export function failure(code: PageErrorCode, cause?: unknown): PosternError {
  const [message, rpc]: Text = texts[code]
  return new PosternError(rpc === undefined ? { code, message } : { code, message, rpc }, cause)
}

/** Anything thrown, as an error of ours. */
export function asPosternError(thrown: unknown): PosternError {
  return thrown instanceof PosternError ? thrown : failure('INTERNAL', thrown)
}

/**
 * Whatever a wallet threw, as plain data that may cross the link. Never throws: a wallet's error can be any value, with getters that do.
 * A number that is not known is kept in `rpc`; the text is the wallet's own, cut at 1,024 characters.
 */
export function toLinkError(thrown: unknown): ErrorDetails {
  if (thrown instanceof PosternError) return linkErrorOf(thrown)
  const number = read(thrown, 'code')
  const said = read(thrown, 'message')
  const rpc = Number.isSafeInteger(number) ? Number(number) : -32603
  const code = codesByNumber[rpc] ?? 'INTERNAL'
  const message = typeof said === 'string' && said !== '' ? said.slice(0, 1024) : texts.INTERNAL[0]
  const data = plain(read(thrown, 'data'))
  return { code, message, rpc, ...(data !== null && { data }) }
}

function linkErrorOf({ code, message, rpc }: PosternError): ErrorDetails {
  return { code, message, ...(rpc !== undefined && { rpc }) }
}

function read(value: unknown, key: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  } catch {
    return undefined
  }
}

/** Plain JSON data only: no getter, method or prototype crosses, and what cannot be written becomes null. */
export function plain(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null')
  } catch {
    return null
  }
}
