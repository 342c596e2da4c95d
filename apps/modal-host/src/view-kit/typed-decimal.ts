/** A decimal as a visitor types it. Text all the way: no float comes of it. */

/**
 * What was typed as digits with at most one point. Spaces that group are left out. The point of the visitor's language counts as one; where it is a comma, a
 * single point does as well. What could be read in two ways, such as `1,234` in English, is null and not guessed at.
 */
export function readDecimal(text: string, locale: string): string | null {
  const dense = text.replace(/[\s\u00A0\u202F]/gu, '')
  const point = pointOf(locale)
  const plain = point === '.' || !dense.includes(point) ? dense : dense.includes('.') ? '' : dense.replace(point, '.')
  return /^(\d+\.?\d*|\.\d+)$/.test(plain) ? plain : null
}

/** As it would be typed in the visitor's language: nothing is grouped. */
export function typedDecimal(decimal: string, locale: string): string {
  return decimal.replace('.', pointOf(locale))
}

/** The decimal point of a language. */
export function pointOf(locale: string): string {
  return new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
}
