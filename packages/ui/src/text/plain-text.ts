/** Untrusted text as one harmless line, without control, bidi and invisible characters. */
export function plainText(text: string, maxCharacters = 48): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/(?!\uFE0F)[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{DI}\u2800]/gu, '')
    .replace(/\p{M}{4,}/gu, '')
    .replace(/\p{Z}+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= maxCharacters
    ? line
    : `${characters
        .slice(0, maxCharacters - 1)
        .join('')
        .trimEnd()}…`
}
