/** 64-bit numbers in full, which JavaScript's JSON would round. */
const mark = `int:${crypto.randomUUID()}:`
const marked = new RegExp(`"${mark}(-?\\d+)"`, 'g')

export function stringify(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${mark}${inner}` : inner))
  return text.replace(marked, '$1')
}

/** Codes: https://github.com/anza-xyz/agave/blob/master/rpc-client-api/src/custom_error.rs */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data?: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    if (data !== undefined) this.data = data
  }
}

export const invalidParams = (message: string) => new RpcError(-32602, `Invalid params: ${message}`)

/** Unexpected errors are -32603. */
export function errorView(cause: unknown): { code: number; message: string; data?: unknown } {
  if (cause instanceof RpcError)
    return { code: cause.code, message: cause.message, ...(cause.data !== undefined && { data: cause.data }) }
  return { code: -32603, message: cause instanceof Error ? cause.message : 'Internal error' }
}
