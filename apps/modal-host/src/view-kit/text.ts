/** How addresses and numbers are written (VISUAL, spec §9). */
import { limits } from '@postern/protocol'

/** The first 4 and the last 6 characters; `0x` counts among the first. What is short already stays whole. */
export function shortAddress(address: string): string {
  if (address.length <= limits.addressHead + limits.addressTail) return address
  return `${address.slice(0, limits.addressHead)}…${address.slice(-limits.addressTail)}`
}

/** A decimal as it comes (digits, a point, digits) in the visitor's own writing, cut at its point. Never through a float: digits are grouped as text. */
export function writeDecimal(decimal: string, locale: string): { readonly whole: string; readonly fraction: string } {
  const [digits = '0', fraction = ''] = decimal.split('.')
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(1234.5)
  const point = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  const whole = /^\d+$/.test(digits) ? new Intl.NumberFormat(locale).format(BigInt(digits)) : digits
  return { whole, fraction: fraction === '' ? '' : `${point}${fraction}` }
}
