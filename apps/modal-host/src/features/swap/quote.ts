/** What a quote promises, for how long, and how good it is. Every amount is whole smallest units. */

import { exactUnits, formatUnits, parseUnits, withoutZeros } from '@postern/chains/format'
import { limits, type SwapQuote } from '@postern/protocol'
import { centsOf } from '../../view-kit/fiat'
import type { SwapToken } from './tokens'

/** What a quote is asked for. `account` is CAIP-10. */
export type SwapQuestion = {
  readonly account: string
  readonly from: SwapToken
  readonly to: SwapToken
  readonly amount: bigint
}

export type Quote = {
  readonly toAmount: bigint
  readonly provider: string | null
  /** In per cent, as decimals; null where nobody says. */
  readonly fee: string | null
  readonly priceImpact: string | null
  /** Epoch milliseconds of the visitor's own clock. */
  readonly receivedAt: number
  readonly endsAt: number
}

/** How long a quote is believed, in ms: what its service says, but not shorter or longer than this. A visitor's clock may be wrong by hours. */
const shortestLife = 5_000
const longestLife = 30_000

/**
 * The best of the quotes that answer what was asked: of this amount, from and to these tokens. Null where there is none, which is no route.
 * A quote's own `expiresAt` is of the service's clock.
 */
export function bestQuote(quotes: readonly SwapQuote[], question: SwapQuestion, now: number): Quote | null {
  const { amount, from, to } = question
  const fitting = quotes.filter(
    (quote) =>
      BigInt(quote.fromAmount) === amount &&
      quote.fromAccount.toLowerCase() === from.id &&
      quote.toAccount.toLowerCase() === to.id &&
      BigInt(quote.toAmount) > 0n,
  )
  const [best] = fitting.sort((one, other) => (BigInt(other.toAmount) > BigInt(one.toAmount) ? 1 : -1))
  if (best === undefined) return null
  const { provider = null, fee = null, priceImpact = null, expiresAt = now + longestLife } = best
  const life = Math.min(Math.max(expiresAt - now, shortestLife), longestLife)
  return { toAmount: BigInt(best.toAmount), provider, fee, priceImpact, receivedAt: now, endsAt: now + life }
}

export function isOver({ endsAt }: Quote, now: number): boolean {
  return now >= endsAt
}

/** What arrives at least, with the tolerance of spec §9, rounded up: what is signed may never give less than is said. */
export function minimumReceived(toAmount: bigint): bigint {
  const kept = 10_000n - BigInt(Math.round(limits.swapSlippagePercent * 100))
  return (toAmount * kept + 9_999n) / 10_000n
}

export type Impact = 'low' | 'high' | 'severe'

/** Per cent from which an impact is warned of, and from which it has to be agreed to. */
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

/** US dollars for one of each. */
export type Prices = { readonly from: number; readonly to: number }

/** What a swap loses: against the pools' price, as its service says, or what arrives against what is paid, at the prices that are known. */
export type Loss = { readonly percent: string; readonly kind: 'impact' | 'worth' }

/** Cents from which known prices say something about a swap: below, their rounding would. */
const leastCents = 100n

/** The service's word counts where it has one, unless known prices say worse: a pool may have been brought off its price before, and a service may say what it likes. */
export function lossOf(
  question: Omit<SwapQuestion, 'account'>,
  { toAmount, priceImpact }: Pick<Quote, 'toAmount' | 'priceImpact'>,
  prices: Prices | null,
): Loss | null {
  const worth = worthLoss(question, toAmount, prices)
  if (priceImpact === null) return worth
  const isWorse = worth !== null && grades.indexOf(impactOf(worth.percent)) > grades.indexOf(impactOf(priceImpact))
  return isWorse ? worth : { percent: priceImpact, kind: 'impact' }
}

const grades: readonly Impact[] = ['low', 'high', 'severe']

function worthLoss(
  { amount, from, to }: Omit<SwapQuestion, 'account'>,
  toAmount: bigint,
  prices: Prices | null,
): Loss | null {
  if (prices === null || !(prices.from > 0) || !(prices.to > 0)) return null
  const paid = centsOf(exactUnits(amount, from.decimals), prices.from)
  const got = centsOf(exactUnits(toAmount, to.decimals), prices.to)
  if (paid === null || got === null || paid < leastCents) return null
  return { percent: lossPercent(paid, got), kind: 'worth' }
}

/** Per cent of two places, rounded up: `'0.0812'` is `'0.09'`, `'0'` is `'0'`. Null for what is no decimal. */
export function percentText(percent: string): string | null {
  const places = Math.max(percent.split('.')[1]?.length ?? 0, 2)
  const value = parseUnits(percent, places)
  if (value === null) return null
  const unit = 10n ** BigInt(places - 2)
  return withoutZeros(formatUnits((value + unit - 1n) / unit, 2, 2))
}

/** How much less is got than before, in per cent of what was shown, of two places, rounded up. */
export function lossPercent(before: bigint, now: bigint): string {
  if (before === 0n || now >= before) return '0'
  return withoutZeros(formatUnits(((before - now) * 10_000n + before - 1n) / before, 2, 2))
}

/** What one of `from` gives of `to`, with six digits that count. */
export function rateOf({ amount, from, to }: Omit<SwapQuestion, 'account'>, toAmount: bigint): string {
  if (amount === 0n) return '0'
  const scale = 36
  const scaled =
    (toAmount * 10n ** BigInt(from.decimals) * 10n ** BigInt(scale)) / (amount * 10n ** BigInt(to.decimals))
  return shortDecimal(scaled, scale)
}

/** An amount to read: its six first digits that count, at least two places, and never rounded up. Whole digits are never cut. */
export function shortDecimal(amount: bigint, decimals: number): string {
  const digits = amount.toString()
  const whole = Math.max(digits.length - decimals, 0)
  const leading = whole > 0 ? 0 : decimals - digits.length
  const places = whole > 0 ? Math.max(6 - whole, 2) : leading + 6
  return withoutZeros(formatUnits(amount, decimals, Math.min(places, decimals)))
}
