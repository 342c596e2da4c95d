/** EIP-1193, EIP-1474, EIP-3085, EIP-3326. */
import type { ErrorTexts } from './entry'

export const providerErrors = {
  USER_REJECTED: { message: 'User rejected the request', rpc: 4001 },
  UNAUTHORIZED: { message: 'The requested account or method has not been authorized by the user', rpc: 4100 },
  UNSUPPORTED_METHOD: { message: 'The provider does not support the requested method', rpc: 4200 },
  DISCONNECTED: { message: 'The provider is disconnected from all chains', rpc: 4900 },
  CHAIN_DISCONNECTED: { message: 'The provider is not connected to the requested chain', rpc: 4901 },
  CHAIN_NOT_ADDED: { message: 'Unrecognized chain ID', rpc: 4902 },
  INVALID_REQUEST: { message: 'The request isn’t valid', rpc: -32600 },
  METHOD_NOT_FOUND: { message: 'The method does not exist or is not available', rpc: -32601 },
  INVALID_PARAMS: { message: 'Invalid method parameters', rpc: -32602 },
  INTERNAL: { message: 'Internal error', rpc: -32603 },
  REQUEST_PENDING: { message: 'A request is already pending in the wallet', rpc: -32002 },
  LIMIT_EXCEEDED: { message: 'Request limit exceeded', rpc: -32005 },
} as const satisfies ErrorTexts
