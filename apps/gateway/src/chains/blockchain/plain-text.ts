/** Untrusted text as one line, without control characters, direction overrides and invisible characters. */
export function plainText(text: string, maxLength: number): string {
  const line = text
    // Limits the work on very long text.
    .slice(0, maxLength * 8)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/(?!\uFE0F)[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{DI}\u2800\uFFFD]/gu, '')
    .replace(/\p{Z}+/gu, ' ')
    .trim()
  return [...line].slice(0, maxLength).join('').trimEnd()
}
