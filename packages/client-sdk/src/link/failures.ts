import { failureOf, type PosternError, type Text } from '../errors'

/** Catalogue texts of the errors that the page link raises. */
export const linkTexts = {
  METHOD_NOT_FOUND: ['The method does not exist or is not available', -32601],
  TIMEOUT: ['The request timed out'],
  ABORTED: ['Request was aborted'],
  LINK_CLOSED: ['The connection to the modal has ended', 4900],
  VERSION_MISMATCH: ['The SDK and the modal have no version in common'],
} as const satisfies Record<string, Text>

export function linkFailure(code: keyof typeof linkTexts, cause?: unknown): PosternError {
  return failureOf(code, linkTexts[code], cause)
}
