import { formatUnits, parseUnits, withoutZeros } from '@postern/chains/format'
import { plainText } from '@postern/ui/plain-text'
import { formatDecimal } from '../../view-kit/format/format-amount'
import { fiatDecimals } from './offers'

/** `1,250.00 USD`: the code is the same in every language. */
export function formatPayment(
  { amount, currency }: { readonly amount: string; readonly currency: string },
  locale: string,
) {
  const [integer = '0', fraction = ''] = amount.split('.')
  return `${formatDecimal(`${integer}.${fraction.padEnd(fiatDecimals, '0')}`, locale)}\u00A0${plainText(currency, 12)}`
}

/** More decimals would mislead: the price moves anyway. */
const shownDecimals = 6

/** Rounded down. */
export function formatPurchase(amount: string, locale: string): string {
  const scale = amount.split('.')[1]?.length ?? 0
  const units = parseUnits(amount, scale)
  if (units === null || scale <= shownDecimals) return formatDecimal(amount, locale)
  return formatDecimal(withoutZeros(formatUnits(units, scale, shownDecimals)), locale)
}
