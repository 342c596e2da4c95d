import { failureOf, type PosternError, type Text } from './errors'

export const requestTexts = {
  USER_REJECTED: ['User rejected the request', 'The user declined. Let them try again.', 4001],
  INVALID_PARAMS: ['Invalid method parameters', 'See the message, or `data.issues` for options.', -32602],
  INTERNAL: ['Internal error', 'Try again. `data` has what the wallet or endpoint said.', -32603],
  METHOD_NOT_FOUND: [
    'The method does not exist or is not available',
    'Check the method’s name, and whether its feature is on.',
    -32601,
  ],
  UNSUPPORTED_METHOD: [
    'The provider does not support the requested method',
    'Use a method that the connected wallet supports.',
    4200,
  ],
  REQUEST_PENDING: ['A request is already pending in the wallet', 'Answer the pending request in the wallet.', -32002],
  TIMEOUT: ['The request timed out', 'Check your connection and try again.'],
  ABORTED: [
    'Request was aborted',
    'If it was a payment, check whether it went through. Then send it again if you still need it.',
  ],
  LINK_CLOSED: ['The connection to the modal has ended', 'Send the request again.', 4900],
  OUTCOME_UNKNOWN: [
    'The request was sent, but its outcome is unknown',
    'Check whether a payment went through before you send it again.',
    -32002,
  ],
  VERSION_MISMATCH: ['The SDK and the modal have no version in common', 'Update `@postern/client` and your gateway.'],
} as const satisfies Record<string, Text>

/** EIP-1193, EIP-1474, JSON-RPC. */
export const codesByNumber: Readonly<Record<number, string>> = {
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

export function requestFailure(code: keyof typeof requestTexts, cause?: unknown): PosternError {
  return failureOf(code, requestTexts[code], cause)
}
