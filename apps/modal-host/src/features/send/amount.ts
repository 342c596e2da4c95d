/** An amount as it is typed, in the token's unit or in dollars. Text until it is whole smallest units: no float on the way. */
import { exactUnits, parseUnits } from '@postern/chains/format'
import { amountOf, fiatOf } from '../../view-kit/fiat'
import { readDecimal, typedDecimal } from '../../view-kit/typed-decimal'
import type { SendToken } from './token'

export type AmountUnit = 'token' | 'fiat'
export type AmountEntry = { readonly text: string; readonly unit: AmountUnit }

type Priced = Pick<SendToken, 'decimals' | 'price'>

/** Smallest units of what was typed; null where it is no amount: empty, malformed, more decimals than the token has, dollars without a price. */
export function unitsOf({ text, unit }: AmountEntry, { decimals, price }: Priced, locale: string): bigint | null {
  const decimal = readDecimal(text, locale)
  if (decimal === null) return null
  if (unit === 'token') return parseUnits(decimal, decimals)
  const cents = /^(\d*)\.?(\d{0,2})$/.exec(decimal)
  if (cents === null) return null
  const bought = amountOf(`${cents[1] || '0'}${cents[2] ? `.${cents[2]}` : ''}`, price, decimals)
  return bought === null ? null : parseUnits(bought, decimals)
}

/** The same amount in the other unit; empty where it is none. */
export function inUnit(entry: AmountEntry, unit: AmountUnit, token: Priced, locale: string): AmountEntry {
  if (entry.unit === unit) return entry
  const units = unitsOf(entry, token, locale)
  if (units === null) return { text: '', unit }
  const exact = exactUnits(units, token.decimals)
  const text = unit === 'token' ? exact : (fiatOf(exact, token.price) ?? '')
  return { text: typedDecimal(text, locale), unit }
}

/** All that can be sent, always in the token's unit: dollars would round it. */
export function entryOf(units: bigint, { decimals }: Pick<SendToken, 'decimals'>, locale: string): AmountEntry {
  return { text: typedDecimal(exactUnits(units, decimals), locale), unit: 'token' }
}
