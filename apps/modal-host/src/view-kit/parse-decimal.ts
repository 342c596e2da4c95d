/** Stays text, without floats. */
import { asciiForms } from '@postern/ui/ascii-forms'

/**
 * Digits of any script with at most one decimal point; grouping spaces are ignored. The locale's separator is accepted,
 * and so is the Arabic one; if the locale's is a comma, a single point is too. Text that may be a thousand times another amount is null: `1,234` in English, `1.234` in
 * German.
 */
export function parseDecimal(text: string, locale: string): string | null {
  const dense = asciiForms(text).replace(/[\s\u00A0\u202F]/gu, '')
  const point = dense.includes(arabicPoint) ? arabicPoint : decimalSeparator(locale)
  if (point !== '.' && thousands.test(dense)) return null
  const plain = point === '.' || !dense.includes(point) ? dense : dense.includes('.') ? '' : dense.replace(point, '.')
  return /^(\d+\.?\d*|\.\d+)$/.test(plain) ? plain : null
}

/** U+066B, which never groups digits. */
const arabicPoint = '\u066b'

/** With a point that groups digits in some locales. */
const thousands = /^[1-9]\d{0,2}\.\d{3}$/

/** A decimal as typed, without grouping. */
export function decimalInputText(decimal: string, locale: string): string {
  return decimal.replace('.', decimalSeparator(locale))
}

/** The decimal separator of a locale. */
export function decimalSeparator(locale: string): string {
  return new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
}
