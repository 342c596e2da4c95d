/** Stays text, without floats. */

/**
 * Digits with at most one decimal point; grouping spaces are ignored. The locale's separator is accepted; if it is a
 * comma, a single point is too. Ambiguous text, such as `1,234` in English, is null.
 */
export function parseDecimal(text: string, locale: string): string | null {
  const dense = text.replace(/[\s\u00A0\u202F]/gu, '')
  const point = decimalSeparator(locale)
  const plain = point === '.' || !dense.includes(point) ? dense : dense.includes('.') ? '' : dense.replace(point, '.')
  return /^(\d+\.?\d*|\.\d+)$/.test(plain) ? plain : null
}

/** A decimal as typed, without grouping. */
export function decimalInputText(decimal: string, locale: string): string {
  return decimal.replace('.', decimalSeparator(locale))
}

/** The decimal separator of a locale. */
export function decimalSeparator(locale: string): string {
  return new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
}
