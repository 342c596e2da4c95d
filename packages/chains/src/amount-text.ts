import type { Amount } from './amount'
import { formatUnits } from './format'
import { splitDecimal } from './text'

/** Null without decimals. */
export function exactAmount({ raw, decimals }: Amount, locale: string): string | null {
  if (decimals === undefined) return null
  const text = formatUnits(BigInt(raw), decimals, decimals)
  const { whole, fraction } = splitDecimal(text.includes('.') ? text.replace(/\.?0+$/, '') : text, locale)
  return whole + fraction
}

/** Rounded up to six significant digits: the real cost is never higher. */
export function upperAmount(amount: Amount, locale: string): string | null {
  const digits = amount.raw.replace(/^0+/, '')
  const cut = Math.max(digits.length - 6, 0)
  const unit = 10n ** BigInt(cut)
  const raw = ((BigInt(amount.raw) + unit - 1n) / unit) * unit
  return exactAmount({ ...amount, raw: raw.toString() }, locale)
}

const maxSymbolLength = 24

/** Removes bidi and invisible characters, and all but two marks of a letter. */
export function safeSymbol(symbol: string): string {
  const plain = symbol
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim()
  return plain.length > maxSymbolLength ? `${plain.slice(0, maxSymbolLength)}…` : plain
}

const lastDate = 8_640_000_000_000

/** Null beyond the range of dates, which means never. */
export function dateText(seconds: number, locale: string): string | null {
  if (!(seconds >= 0 && seconds < lastDate)) return null
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(seconds * 1000)
}
