import { failureOf, type PosternError, type Text } from '../errors'

/** Catalogue texts of the errors that the page link raises. */
export const linkTexts = {
  USER_REJECTED: ['User rejected the request', 'Nothing is broken: the user declined. Let them try again.', 4001],
  INVALID_PARAMS: [
    'Invalid method parameters',
    'The message names the wrong parameter, such as `[0].to`. For options, `data.issues` names each wrong one.',
    -32602,
  ],
  INTERNAL: [
    'Internal error',
    'Try again. If it persists, see `data` for what the wallet or the endpoint said.',
    -32603,
  ],
  METHOD_NOT_FOUND: ['The method does not exist or is not available', 'Check the name of the method.', -32601],
  TIMEOUT: ['The request timed out', 'Check your connection and try again.'],
  ABORTED: ['Request was aborted', 'The page or the user cancelled it. Send it again if you still need it.'],
  LINK_CLOSED: [
    'The connection to the modal has ended',
    'Send the request again: the modal reloads with it. A payment may have gone through, so check for it first.',
    4900,
  ],
  VERSION_MISMATCH: [
    'The SDK and the modal have no version in common',
    'Update `@postern/client`, or the deployment that serves the modal, whichever is older.',
  ],
} as const satisfies Record<string, Text>

export function linkFailure(code: keyof typeof linkTexts, cause?: unknown): PosternError {
  return failureOf(code, linkTexts[code], cause)
}
