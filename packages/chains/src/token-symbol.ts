/** ASCII, or a script without look-alikes of Latin letters. */
const plain = [
  /^\$?[A-Za-z][A-Za-z0-9$+_.-]{0,15}$/,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,8}$/u,
  /^\p{Script=Hangul}{1,8}$/u,
]

/** `claim-usdc.com`, but not `USDC.e`. */
const webAddress = /\.[a-z]{2,}/i

/**
 * Whether a symbol can stand next to a number.
 *
 * 1. It begins with a letter, so that it does not continue the number: not `000 USDC`.
 * 2. It has no space, invisible character or compatibility form, and mixes no scripts: Cyrillic `С` reads like `C`.
 * 3. It is not a web address.
 */
export function isPlainSymbol(symbol: string): boolean {
  if (symbol !== symbol.normalize('NFKC') || /\p{Default_Ignorable_Code_Point}/u.test(symbol)) return false
  return plain.some((form) => form.test(symbol)) && !webAddress.test(symbol)
}

/** Ignores case, punctuation and look-alikes, as a reader may. */
export function isSameSymbol(one: string, other: string): boolean {
  return skeleton(one) === skeleton(other)
}

function skeleton(symbol: string): string {
  return symbol
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('0', 'O')
    .replaceAll(/[1L]/g, 'I')
    .replaceAll('5', 'S')
}
