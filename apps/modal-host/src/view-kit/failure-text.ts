import type { ErrorCode } from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'
import { useErrorText } from './error-text'

/** Max characters: a node may return pages. */
const longest = 200

/** On one safe line: the catalogue's text, otherwise the untrusted source's. */
export function useFailureText(): (failure: { readonly code: ErrorCode; readonly message: string }) => string {
  const errorText = useErrorText()
  return ({ code, message }) => plainText(errorText(code, message), longest)
}
