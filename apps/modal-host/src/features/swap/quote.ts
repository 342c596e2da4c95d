/** All amounts are in smallest units. */

import { exactUnits, formatUnits, parseUnits, withoutZeros } from '@postern/chains/format'
import { limits, type SwapQuote } from '@postern/protocol'
import { centsOf } from '../../view-kit/format/fiat'
import type { SwapToken } from './tokens'

export type QuoteRequest = {
  readonly account: string
  readonly from: SwapToken
  readonly to: SwapToken
  readonly amount: bigint
}

export type Quote = {
  readonly toAmount: bigint
  readonly provider: string | null
  /** In percent; null if unknown. */
  readonly fee: string | null
  readonly priceImpact: string | null
  /** Epoch ms by the user's clock. */
  readonly receivedAt: number
  readonly endsAt: number
}

/** Limits of a quote's lifetime in ms: the user's clock may be hours off. */
const minLifeMs = 5_000
const maxLifeMs = 30_000

/** Null: no route. A quote's `expiresAt` is by the service's clock. */
export function bestQuote(quotes: readonly SwapQuote[], request: QuoteRequest, now: number): Quote | null {
  const { amount, from, to } = request
  const fitting = quotes.filter(
    (quote) =>
      BigInt(quote.fromAmount) === amount &&
      quote.fromAccount.toLowerCase() === from.id &&
      quote.toAccount.toLowerCase() === to.id &&
      BigInt(quote.toAmount) > 0n,
  )
  const [best] = fitting.sort((one, other) => (BigInt(other.toAmount) > BigInt(one.toAmount) ? 1 : -1))
  if (best === undefined) return null
  const { provider = null, fee = null, priceImpact = null, expiresAt = now + maxLifeMs } = best
  const life = Math.min(Math.max(expiresAt - now, minLifeMs), maxLifeMs)
  return { toAmount: BigInt(best.toAmount), provider, fee, priceImpact, receivedAt: now, endsAt: now + life }
}

export function isExpired({ endsAt }: Quote, now: number): boolean {
  return now >= endsAt
}

/** After the slippage tolerance of spec §9, rounded up: the transaction must never give less than shown. */
export function minimumReceived(toAmount: bigint): bigint {
  const minBasisPoints = 10_000n - BigInt(Math.round(limits.swapSlippagePercent * 100))
  return (toAmount * minBasisPoints + 9_999n) / 10_000n
}

export type Impact = 'low' | 'high' | 'severe'

/** Percent from which the user is warned of a loss, and must agree to it. */
const highImpact = 3n
const severeImpact = 10n

export function impactOf(percent: string | null): Impact {
  if (percent === null) return 'low'
  const places = percent.split('.')[1]?.length ?? 0
  const value = parseUnits(percent, places)
  if (value === null) return 'low'
  const unit = 10n ** BigInt(places)
  return value >= severeImpact * unit ? 'severe' : value >= highImpact * unit ? 'high' : 'low'
}

/** US dollars per token. */
export type Prices = { readonly from: number; readonly to: number }

/** The service's price impact, or the difference in value at known prices. */
export type Loss = { readonly percent: string; readonly kind: 'impact' | 'worth' }

/** In cents: below, rounding dominates. */
const minComparableCents = 100n

/** Known prices win if they show more: a pool may be manipulated, and the service may be wrong. */
export function lossOf(
  request: Omit<QuoteRequest, 'account'>,
  { toAmount, priceImpact }: Pick<Quote, 'toAmount' | 'priceImpact'>,
  prices: Prices | null,
): Loss | null {
  const worth = worthLoss(request, toAmount, prices)
  if (priceImpact === null) return worth
  const isWorse = worth !== null && grades.indexOf(impactOf(worth.percent)) > grades.indexOf(impactOf(priceImpact))
  return isWorse ? worth : { percent: priceImpact, kind: 'impact' }
}

const grades: readonly Impact[] = ['low', 'high', 'severe']

function worthLoss(
  { amount, from, to }: Omit<QuoteRequest, 'account'>,
  toAmount: bigint,
  prices: Prices | null,
): Loss | null {
  if (prices === null || !(prices.from > 0) || !(prices.to > 0)) return null
  const paid = centsOf(exactUnits(amount, from.decimals), prices.from)
  const got = centsOf(exactUnits(toAmount, to.decimals), prices.to)
  if (paid === null || got === null || paid < minComparableCents) return null
  return { percent: lossPercent(paid, got), kind: 'worth' }
}

/** Two decimals, rounded up: `'0.0812'` is `'0.09'`. Null if not a decimal. */
export function percentText(percent: string): string | null {
  const places = Math.max(percent.split('.')[1]?.length ?? 0, 2)
  const value = parseUnits(percent, places)
  if (value === null) return null
  const unit = 10n ** BigInt(places - 2)
  return withoutZeros(formatUnits((value + unit - 1n) / unit, 2, 2))
}

/** In percent of `before`, two decimals, rounded up. */
export function lossPercent(before: bigint, now: bigint): string {
  if (before === 0n || now >= before) return '0'
  return withoutZeros(formatUnits(((before - now) * 10_000n + before - 1n) / before, 2, 2))
}

/** The amount of `to` per `from`, with six significant digits. */
export function rateOf({ amount, from, to }: Omit<QuoteRequest, 'account'>, toAmount: bigint): string {
  if (amount === 0n) return '0'
  const scale = 36
  const scaled =
    (toAmount * 10n ** BigInt(from.decimals) * 10n ** BigInt(scale)) / (amount * 10n ** BigInt(to.decimals))
  return shortDecimal(scaled, scale)
}

/** Six significant digits, at least two decimals, never rounded up. Integer digits are never cut. */
export function shortDecimal(amount: bigint, decimals: number): string {
  const digits = amount.toString()
  const integerDigits = Math.max(digits.length - decimals, 0)
  const leading = integerDigits > 0 ? 0 : decimals - digits.length
  const places = integerDigits > 0 ? Math.max(6 - integerDigits, 2) : leading + 6
  return withoutZeros(formatUnits(amount, decimals, Math.min(places, decimals)))
}
