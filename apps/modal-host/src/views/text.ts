/** How addresses and numbers are written (VISUAL, spec §9). */
import { limits } from '@postern/protocol'

/** The first 4 and the last 6 characters; `0x` counts among the first. What is short already stays whole. */
export function shortAddress(address: string): string {
  const { addressHead, addressTail } = limits
  if (address.length <= addressHead + addressTail) return address
  return `${address.slice(0, addressHead)}…${address.slice(-addressTail)}`
}

/** A decimal as it comes (digits, a point, digits) in the visitor's own writing, cut at its point. Never through a float: digits are grouped as text. */
export function writeDecimal(decimal: string, locale: string): { readonly whole: string; readonly fraction: string } {
  const [digits = '0', fraction = ''] = decimal.split('.')
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(1234.5)
  const point = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  const whole = /^\d+$/.test(digits) ? new Intl.NumberFormat(locale).format(BigInt(digits)) : digits
  return { whole, fraction: fraction === '' ? '' : `${point}${fraction}` }
}

/**
 * A number of wallets. It is part of the first paint, and a first `Intl.NumberFormat` takes 5 ms and more of it, so only what has to be grouped
 * comes to that.
 */
export function exactCount(count: number, locale: string): string {
  return count < 1000 ? String(count) : new Intl.NumberFormat(locale).format(count)
}

/** The same rounded, with a plus, once nobody counts them: 487 is `480+`. */
export function roundCount(count: number, locale: string): string {
  const isRound = count < 100 || count % 10 === 0
  return isRound ? exactCount(count, locale) : `${exactCount(count - (count % 10), locale)}+`
}

/** Which form of a word goes with a number, for a message's `select`: a message's own `plural` makes an `Intl.NumberFormat` even where it shows no number. */
export function pluralForm(count: number, locale: string): Intl.LDMLPluralRule {
  return new Intl.PluralRules(locale).select(count)
}
