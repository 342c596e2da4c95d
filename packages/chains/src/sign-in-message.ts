/** First line of a sign-in message (EIP-4361, CAIP-122). */

import { parseUrl } from '@postern/base/parse-url'

const opening = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^\s/]+) wants you to sign in with your ([A-Za-z0-9 ]{1,32}) account:/i

/** Only a sign-in message has these words. */
const signInPhrase = /wants you to sign in with your/i

/** Also true for a text that does not parse as one. */
export const opensSignIn = (text: string): boolean => signInPhrase.test(text)

/**
 * Whether a text signs in, and if so, whether at the page's own domain.
 *
 * 1. `none`: the text is not a sign-in message and may be signed like any other.
 * 2. `own`: its domain is the origin's host, and its scheme, if any, the origin's. The URI does not decide (EIP-4361):
 *    it may be an API's. A URI of another origin is shown with a warning.
 * 3. `foreign` otherwise: it must not be signed. A text that opens like a sign-in message but does not parse is
 *    foreign, because a verifier may be more lenient.
 *
 * @param origin of the dapp, as the browser reports it
 */
export function signInDomain(text: string, origin: string): 'none' | 'own' | 'foreign' {
  if (!opensSignIn(text)) return 'none'
  const [, scheme, domain] = opening.exec(text) ?? []
  const page = parseUrl(origin)
  if (domain === undefined || page === null) return 'foreign'
  const isOwn =
    domain.toLowerCase() === page.host && (scheme === undefined || `${scheme.toLowerCase()}:` === page.protocol)
  return isOwn ? 'own' : 'foreign'
}
