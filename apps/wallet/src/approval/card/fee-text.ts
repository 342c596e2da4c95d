import { safeSymbol, upperAmount } from '@postern/chains/amount-text'
import type { Amount } from '../../intent/intent'

/** Rounded up. */
export function feeText(amount: Amount, locale: string): string {
  const number = upperAmount(amount, locale) ?? amount.raw
  return amount.symbol === undefined ? number : `${number}\u00A0${safeSymbol(amount.symbol)}`
}
