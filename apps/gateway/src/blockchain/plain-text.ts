/**
 * Text that a stranger's contract or file gives, as one harmless line of at most `maxLength` characters: control characters, direction overrides and
 * what cannot be seen are taken out. What it says is not judged.
 */
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
