const digit = /\p{Nd}/u
const fullWidth = /[\uFF01-\uFF5E]/g
const fullStops = /[\u3002\uFF61]/g

/**
 * The ASCII characters for which keyboards of other scripts type their own: decimal digits, full-width forms and the
 * ideographic full stop. Superscripts, circled digits and the like stay as they are: they are no digits of a number.
 */
export function asciiForms(text: string): string {
  return text
    .replace(/\p{Nd}/gu, digitOf)
    .replace(fullWidth, (form) => String.fromCharCode(form.charCodeAt(0) - 0xfee0))
    .replace(fullStops, '.')
}

/** Unicode has the ten digits of a script in a row, so the sets in front count by tens. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  let first = code
  while (digit.test(String.fromCodePoint(first - 1))) first--
  return String((code - first) % 10)
}
