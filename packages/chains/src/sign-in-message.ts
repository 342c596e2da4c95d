/**
 * Sign-in messages (EIP-4361, and CAIP-122 of the other namespaces, which is the same text with another word for the chain): whether the text asks to sign in somewhere else than on the
 * page that asks. A text that begins as one and cannot be read is treated as one for nobody: whoever verifies it may read more than we do.
 */

/** `https://app.example wants you to sign in with your Ethereum account:`, the scheme being optional. */
const opening = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^\s/]+) wants you to sign in with your ([A-Za-z0-9 ]{1,32}) account:/i

/** Words that only such a message has; a text with them is never let through because of how its first line is dressed up. */
const tell = /wants you to sign in with your/i

/**
 * 1. `none` when the text is no sign-in message: it may be signed like any other.
 * 2. `own` when its domain is the origin's host and its URI, where it names one, is of the same origin. A statement may look like the line of the URI, so every such line counts.
 * 3. `foreign` in every other case, and then it must not be signed (DESIGN §4).
 *
 * @param origin Serialised, of the dapp as the browser reports it.
 */
export function signInDomain(text: string, origin: string): 'none' | 'own' | 'foreign' {
  if (!tell.test(text)) return 'none'
  const [, scheme, domain] = opening.exec(text) ?? []
  if (domain === undefined || !URL.canParse(origin)) return 'foreign'
  const page = new URL(origin)
  if (domain.toLowerCase() !== page.host || (scheme !== undefined && `${scheme.toLowerCase()}:` !== page.protocol))
    return 'foreign'
  const uris = [...text.matchAll(/^URI: (.*)$/gm)].map(([, uri = '']) => uri)
  return uris.every((uri) => URL.canParse(uri) && new URL(uri).origin === page.origin) ? 'own' : 'foreign'
}
