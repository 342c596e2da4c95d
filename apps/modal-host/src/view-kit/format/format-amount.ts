import { exactUnits, formatUnits, withoutZeros } from '@postern/chains/format'
import { splitDecimal } from '@postern/chains/text'
import { limits } from '@postern/protocol'
import { fiatOf } from './fiat'

export function formatDecimal(decimal: string, locale: string): string {
  const { whole, fraction } = splitDecimal(decimal, locale)
  return `${whole}${fraction}`
}

/** Rounded down to 3 decimals (spec §9), or to more if that would show zero. */
export function formatBalance(units: bigint, decimals: number, locale: string): string {
  const text = formatUnits(units, decimals, limits.balanceDecimals)
  return formatDecimal(units > 0n && /^0\.?0*$/.test(text) ? exactUnits(units, decimals) : withoutZeros(text), locale)
}

/** Four significant digits, rounded up: a cost is never higher than shown. */
export function formatCost(units: bigint, decimals: number, locale: string): string {
  const cut = 10n ** BigInt(Math.max(units.toString().length - 4, 0))
  return formatDecimal(exactUnits(((units + cut - 1n) / cut) * cut, decimals), locale)
}

/** In dollars; null without a price. */
export function formatFiat(units: bigint, decimals: number, price: number, locale: string): string | null {
  const fiat = price > 0 ? fiatOf(exactUnits(units, decimals), price) : null
  if (fiat === null) return null
  return fiat === '0.00' && units > 0n ? `<\u202F$${formatDecimal('0.01', locale)}` : `$${formatDecimal(fiat, locale)}`
}
