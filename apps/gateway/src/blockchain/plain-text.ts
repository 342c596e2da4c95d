/** Sanitises untrusted text to one line of at most `most` characters, without control, bidi or invisible characters. */
export function plainText(text: string, most: number): string {
  const line = text
    // Limits the work on very long text.
    .slice(0, most * 8)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/(?!\uFE0F)[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{DI}\u2800\uFFFD]/gu, '')
    .replace(/\p{Z}+/gu, ' ')
    .trim()
  return [...line].slice(0, most).join('').trimEnd()
}
