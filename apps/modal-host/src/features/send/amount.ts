/** An amount stays text until it is converted to whole smallest units, without floats. */
import { exactUnits, parseUnits } from '@postern/chains/format'
import { amountOf, fiatOf } from '../../view-kit/format/fiat'
import { decimalInputText, parseDecimal } from '../../view-kit/format/parse-decimal'
import type { SendToken } from './token'

export type AmountUnit = 'token' | 'fiat'
export type AmountEntry = { readonly text: string; readonly unit: AmountUnit }

type Priced = Pick<SendToken, 'decimals' | 'price'>

/** The amount in smallest units; null if empty, malformed, with too many decimals, or in dollars without a price. */
export function unitsOf({ text, unit }: AmountEntry, { decimals, price }: Priced, locale: string): bigint | null {
  const decimal = parseDecimal(text, locale)
  if (decimal === null) return null
  if (unit === 'token') return parseUnits(decimal, decimals)
  const cents = /^(\d*)\.?(\d{0,2})$/.exec(decimal)
  if (cents === null) return null
  const bought = amountOf(`${cents[1] || '0'}${cents[2] ? `.${cents[2]}` : ''}`, price, decimals)
  return bought === null ? null : parseUnits(bought, decimals)
}

/** Empty if invalid. */
export function inUnit(entry: AmountEntry, unit: AmountUnit, token: Priced, locale: string): AmountEntry {
  if (entry.unit === unit) return entry
  const units = unitsOf(entry, token, locale)
  if (units === null) return { text: '', unit }
  const exact = exactUnits(units, token.decimals)
  const text = unit === 'token' ? exact : (fiatOf(exact, token.price) ?? '')
  return { text: decimalInputText(text, locale), unit }
}

/** An entry in the token's unit: dollars would round the amount. */
export function entryOf(units: bigint, { decimals }: Pick<SendToken, 'decimals'>, locale: string): AmountEntry {
  return { text: decimalInputText(exactUnits(units, decimals), locale), unit: 'token' }
}
