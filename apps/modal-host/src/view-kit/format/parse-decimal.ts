/** Amounts stay text, without floats. */
import { asciiForms } from '@postern/ui/ascii-forms'

/**
 * Digits of any script. The decimal point is the locale's or the Arabic one, or a single `.` if the locale's is a
 * comma. Null for text that may mean a thousand times another amount: `1,234` in English, `1.234` in German.
 */
export function parseDecimal(text: string, locale: string): string | null {
  const dense = asciiForms(text).replace(/[\s\u00A0\u202F]/gu, '')
  const point = dense.includes(arabicPoint) ? arabicPoint : decimalSeparator(locale)
  if (point !== '.' && thousands.test(dense)) return null
  const plain = point === '.' || !dense.includes(point) ? dense : dense.includes('.') ? '' : dense.replace(point, '.')
  return /^(\d+\.?\d*|\.\d+)$/.test(plain) ? plain : null
}

/** U+066B. It never groups digits. */
const arabicPoint = '\u066b'

/** The point may group digits in some locales. */
const thousands = /^[1-9]\d{0,2}\.\d{3}$/

/** As the user types it, without grouping. */
export function decimalInputText(decimal: string, locale: string): string {
  return decimal.replace('.', decimalSeparator(locale))
}

export function decimalSeparator(locale: string): string {
  return new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
}
