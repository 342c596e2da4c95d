/** Failures inside the host. Each is an entry of the catalogue, so that whatever reaches the page or a view has a code and a way out. */
import { type ErrorCode, errors, isErrorCode } from './errors'
import type { LinkError } from './page-link-taken'

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  /** EIP-1193 or JSON-RPC number where there is one. */
  readonly rpc: number | undefined
  /** What the wallet or the chain said besides; plain data. */
  readonly data: unknown

  constructor(code: ErrorCode, options: { message?: string; rpc?: number; data?: unknown; cause?: unknown } = {}) {
    super(options.message ?? errors[code].message, { cause: options.cause })
    this.code = code
    this.rpc = options.rpc ?? errors[code].rpc
    this.data = options.data
  }
}

/** Anything thrown as it may cross the link: a failure keeps its words, everything else becomes INTERNAL and tells nothing of the inside. */
export function toLinkError(thrown: unknown): LinkError {
  if (!(thrown instanceof Failure)) return toLinkError(new Failure('INTERNAL'))
  return {
    code: thrown.code,
    message: thrown.message,
    ...(thrown.rpc !== undefined && { rpc: thrown.rpc }),
    ...(thrown.data !== undefined && { data: thrown.data }),
  }
}

/** A failure that a wallet in the page answered with, or that the link itself ended a request by. */
export function fromLinkError(error: LinkError): Failure {
  const code = isErrorCode(error.code) ? error.code : 'INTERNAL'
  return new Failure(code, {
    message: error.message,
    ...(error.rpc !== undefined && { rpc: error.rpc }),
    ...(error.data !== undefined && { data: error.data }),
  })
}
