import type { ErrorCode } from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'
import { useErrorMessage } from './error-message'

/** A node may return whole pages. */
const maxLength = 200

/** The catalogue's text, otherwise the untrusted source's. */
export function useShortErrorMessage(
  isForeign = false,
): (failure: { readonly code: ErrorCode; readonly message: string }) => string {
  const errorMessage = useErrorMessage(isForeign)
  return ({ code, message }) => plainText(errorMessage(code, message), maxLength)
}
