import { limits } from '@postern/protocol'

/** First 4 (including `0x`) and last 6 characters (spec §9). */
export function shortAddress(address: string): string {
  if (address.length <= limits.addressHead + limits.addressTail) return address
  return `${address.slice(0, limits.addressHead)}…${address.slice(-limits.addressTail)}`
}

/** Never through a float. */
export function splitDecimal(decimal: string, locale: string): { readonly whole: string; readonly fraction: string } {
  const [digits = '0', fraction = ''] = decimal.split('.')
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(1234.5)
  const point = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  const whole = /^\d+$/.test(digits) ? new Intl.NumberFormat(locale).format(BigInt(digits)) : digits
  return { whole, fraction: fraction === '' ? '' : `${point}${fraction}` }
}
