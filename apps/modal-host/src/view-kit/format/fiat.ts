/** A price is an estimate and comes as a number; everything after that is exact. */
import { withoutZeros } from '@postern/chains/format'

/** The price as its shortest decimal, without rounding. Null if invalid. */
function exactly(price: number): { readonly digits: bigint; readonly decimals: number } | null {
  if (!Number.isFinite(price) || price < 0) return null
  const [, whole = '0', fraction = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(price)) ?? []
  const decimals = fraction.length - Number.parseInt(exponent, 10)
  const digits = BigInt(whole + fraction)
  return decimals >= 0 ? { digits, decimals } : { digits: digits * 10n ** BigInt(-decimals), decimals: 0 }
}

/** Rounded down; null if either argument is invalid. */
export function centsOf(amount: string, price: number): bigint | null {
  const exactPrice = exactly(price)
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(amount)
  if (exactPrice === null || parts === null) return null
  const [, whole = '0', fraction = ''] = parts
  const product = BigInt(whole + fraction) * exactPrice.digits * 100n
  return product / 10n ** BigInt(fraction.length + exactPrice.decimals)
}

/** `'12.30'`, rounded down to whole cents. */
export function fiatOf(amount: string, price: number): string | null {
  const cents = centsOf(amount, price)
  return cents === null ? null : centsText(cents)
}

/** `1230n` is `'12.30'`. */
export function centsText(cents: bigint): string {
  const digits = cents.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The amount for a sum of money, rounded down to `decimals`; null without a price. */
export function amountOf(fiat: string, price: number, decimals: number): string | null {
  const exactPrice = exactly(price)
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(fiat)
  if (exactPrice === null || exactPrice.digits === 0n || parts === null) return null
  const [, whole = '0', fraction = ''] = parts
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(exactPrice.decimals + decimals)
  const units = (scaled / (exactPrice.digits * 10n ** BigInt(fraction.length))).toString().padStart(decimals + 1, '0')
  const text = decimals === 0 ? units : `${units.slice(0, -decimals)}.${units.slice(-decimals)}`
  return withoutZeros(text)
}
