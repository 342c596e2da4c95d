/**
 * What a token's own name and symbol are worth: anyone can send any token to any account.
 *
 * 1. A listed token has the list's name.
 * 2. A lure (`phishing.ts`) counts before a copy.
 * 3. A copy has the name or symbol of a listed token or a network's currency; also with accents, signs, spaces,
 *    invisible characters, or look-alike letters.
 */
import type { TokenListing } from '@postern/protocol'
import { isLure, type Named } from '../phishing'

export type ListingOf = (token: Named & { readonly isListed: boolean }) => TokenListing

export function createListing(listed: readonly Named[]): ListingOf {
  const taken = new Set(listed.flatMap(({ name, symbol }) => [lettersOf(name), lettersOf(symbol)]))
  // From a name without letters and digits.
  taken.delete('')
  return ({ isListed, ...token }) => {
    if (isListed) return 'listed'
    if (isLure(token)) return 'phishing'
    return taken.has(lettersOf(token.name)) || taken.has(lettersOf(token.symbol)) ? 'copy' : 'unlisted'
  }
}

/** Letters that look Latin, after NFKD and in lower case. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аα',
    b: 'вβ',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еєε',
    g: 'ɡ',
    h: 'нһη',
    i: 'іιıl1|ӏ!',
    j: 'ј',
    k: 'кκ',
    m: 'мμ',
    n: 'п',
    o: 'оοσ0',
    p: 'рρ',
    q: 'ԛ',
    s: 'ѕ5$',
    t: 'тτ',
    u: 'υս',
    v: 'ν',
    w: 'ԝω',
    x: 'хχ',
    y: 'уγү',
    z: 'ᴢ',
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
)

/** Letters and digits as a reader sees them, without outer signs: `$USDC`. */
function lettersOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  return [...plain]
    .map((letter) => lookalikes.get(letter) ?? letter)
    .filter((letter) => /[\p{L}\p{N}]/u.test(letter))
    .join('')
}
