const digit = /\p{Nd}/u
const fullWidth = /[\uFF01-\uFF5E]/g
const fullStops = /[\u3002\uFF61]/g

/**
 * ASCII for what keyboards of other scripts type: digits, full-width forms, the ideographic full stop. Superscripts and
 * circled digits stay.
 */
export function asciiForms(text: string): string {
  return text
    .replace(/\p{Nd}/gu, digitOf)
    .replace(fullWidth, (form) => String.fromCharCode(form.charCodeAt(0) - 0xfee0))
    .replace(fullStops, '.')
}

/** Unicode has a script's ten digits in a row, perhaps after further sets of ten. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  let first = code
  while (digit.test(String.fromCodePoint(first - 1))) first--
  return String((code - first) % 10)
}
