/** First line (EIP-4361, CAIP-122). */

import { parseUrl } from '@postern/base/parse-url'

const opening = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^\s/]+) wants you to sign in with your ([A-Za-z0-9 ]{1,32}) account:/i

/** Only a sign-in message has these words. */
const signInPhrase = /wants you to sign in with your/i

/** Also true for a text that does not parse as one. */
export const opensSignIn = (text: string): boolean => signInPhrase.test(text)

/**
 * Whether a text signs in, and if so, whether at the page's own domain.
 *
 * 1. `none`: not a sign-in message; it may be signed.
 * 2. `own`: its domain is the origin's host, and its scheme, if any, the origin's. The URI may be an API's (EIP-4361).
 * 3. `foreign` otherwise: it must not be signed. Includes texts that do not parse, because a verifier may be more
 *    lenient.
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
