import { type ErrorCode, errors, isErrorCode } from './errors'
import type { LinkError } from './page-link/envelope'

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  /** EIP-1193 or JSON-RPC. */
  readonly rpc: number | undefined
  /** Plain data from the wallet or the chain. */
  readonly data: unknown

  constructor(code: ErrorCode, options: { message?: string; rpc?: number; data?: unknown; cause?: unknown } = {}) {
    super(options.message ?? errors[code].message, { cause: options.cause })
    this.code = code
    this.rpc = options.rpc ?? errors[code].rpc
    this.data = options.data
  }
}

/** `import('./x').catch(notLoaded)`. */
export function notLoaded(cause: unknown): never {
  throw new Failure('LOAD_FAILED', { cause })
}

/** Other errors become INTERNAL, without details. */
export function toLinkError(thrown: unknown): LinkError {
  if (!(thrown instanceof Failure)) return toLinkError(new Failure('INTERNAL'))
  return {
    code: thrown.code,
    message: thrown.message,
    ...(thrown.rpc !== undefined && { rpc: thrown.rpc }),
    ...(thrown.data !== undefined && { data: thrown.data }),
  }
}

export function fromLinkError(error: LinkError): Failure {
  const code = isErrorCode(error.code) ? error.code : 'INTERNAL'
  return new Failure(code, {
    message: error.message,
    ...(error.rpc !== undefined && { rpc: error.rpc }),
    ...(error.data !== undefined && { data: error.data }),
  })
}
