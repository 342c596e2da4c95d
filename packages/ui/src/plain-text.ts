/**
 * Text of strangers (names of tokens, pictures, networks) as one harmless line: control characters, direction overrides and what cannot be seen are
 * taken out, white space is one space, and what is longer than `most` characters ends in an ellipsis.
 */
export function plainText(text: string, most = 48): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/(?!\uFE0F)[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{DI}\u2800]/gu, '')
    .replace(/\p{M}{4,}/gu, '')
    .replace(/\p{Z}+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= most
    ? line
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
