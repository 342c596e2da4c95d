import type { ErrorCode } from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'
import { useErrorText } from './error-text'

/** Characters of a failure that are shown: a node may answer with pages. */
const longest = 200

/** The words of a failure in one harmless line: the catalogue's, else those of the wallet, the chain or the service, who are strangers. */
export function useFailureText(): (failure: { readonly code: ErrorCode; readonly message: string }) => string {
  const errorText = useErrorText()
  return ({ code, message }) => plainText(errorText(code, message), longest)
}
