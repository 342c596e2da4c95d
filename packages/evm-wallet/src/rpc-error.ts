import { BaseError } from 'viem'

export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  readonly data?: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    if (data !== undefined) this.data = data
  }
}

/** Codes of EIP-1193, EIP-1474 and EIP-3326. */
export const rejected = () => new ProviderRpcError(4001, 'User rejected the request.')
export const unauthorized = (message: string) => new ProviderRpcError(4100, message)
export const unsupported = (method: string) =>
  new ProviderRpcError(4200, `The wallet does not support the method "${method}".`)
export const gone = () => new ProviderRpcError(4900, 'The wallet is no longer there.')
export const unknownChain = (chainId: number) =>
  new ProviderRpcError(4902, `Unrecognized chain ID "0x${chainId.toString(16)}". Try adding the chain first.`)
export const invalidRequest = (message: string) => new ProviderRpcError(-32600, message)
export const invalidParams = (message: string) => new ProviderRpcError(-32602, message)
export const pending = (method: string) =>
  new ProviderRpcError(-32002, `Request of type "${method}" already pending. Look at the wallet.`)

/** Keeps the node's code, message and data. */
export function toProviderRpcError(cause: unknown): ProviderRpcError {
  if (cause instanceof ProviderRpcError) return cause
  const answered = cause instanceof BaseError ? cause.walk((inner) => hasCode(inner)) : cause
  if (hasCode(answered)) {
    const message = answered.details || answered.message || 'Internal JSON-RPC error.'
    return new ProviderRpcError(answered.code, message, answered.data)
  }
  return new ProviderRpcError(-32603, cause instanceof Error ? cause.message : 'Internal JSON-RPC error.')
}

function hasCode(value: unknown): value is { code: number; message?: string; details?: string; data?: unknown } {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'number'
}
