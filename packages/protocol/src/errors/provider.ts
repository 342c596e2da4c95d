/** EIP-1193, EIP-1474, EIP-3085, EIP-3326. */
import type { ErrorTexts } from './entry'

export const providerErrors = {
  USER_REJECTED: {
    message: 'User rejected the request',
    rpc: 4001,
    fix: 'The user declined. Let them try again.',
  },
  UNAUTHORIZED: {
    message: 'The requested account or method has not been authorized by the user',
    rpc: 4100,
    fix: 'Connect a wallet, and use an account that it shared.',
  },
  UNSUPPORTED_METHOD: {
    message: 'The provider does not support the requested method',
    rpc: 4200,
    fix: 'Use a method that the connected wallet supports.',
  },
  DISCONNECTED: {
    message: 'The provider is disconnected from all chains',
    rpc: 4900,
    fix: 'Connect a wallet, then send the request again.',
  },
  CHAIN_DISCONNECTED: {
    message: 'The provider is not connected to the requested chain',
    rpc: 4901,
    fix: 'Switch to the network that the request is for.',
  },
  CHAIN_NOT_ADDED: {
    message: 'Unrecognized chain ID',
    rpc: 4902,
    fix: 'Add the network to the wallet, then switch to it.',
  },
  INVALID_REQUEST: {
    message: 'The request isn’t valid',
    rpc: -32600,
    fix: 'Send an object with `method` and `params`.',
  },
  METHOD_NOT_FOUND: {
    message: 'The method does not exist or is not available',
    rpc: -32601,
    fix: 'Check the name of the method.',
  },
  INVALID_PARAMS: {
    message: 'Invalid method parameters',
    rpc: -32602,
    fix: 'See the message, or `data.issues` for options.',
  },
  INTERNAL: {
    message: 'Internal error',
    rpc: -32603,
    fix: 'Try again. `data` has what the wallet or endpoint said.',
  },
  REQUEST_PENDING: {
    message: 'A request is already pending in the wallet',
    rpc: -32002,
    fix: 'Answer the pending request in the wallet.',
  },
  LIMIT_EXCEEDED: {
    message: 'Request limit exceeded',
    rpc: -32005,
    fix: 'Wait a moment and try again.',
  },
} as const satisfies ErrorTexts
