/** What a swap or an order guarantees: the rest is only expected, and others can take it. */
import { isSameAddress } from '@postern/chains/same-address'
import type { Amount, Intent, IntentStep, Warning } from './intent'

/** A millionth of the token or less. */
function isNextToNothing({ raw, decimals }: Amount): boolean {
  return BigInt(raw) * 1_000_000n <= 10n ** BigInt(decimals ?? 6)
}

/**
 * 1. Less than a millionth of the token is as good as nothing.
 * 2. So is, of a swap, less than half of what a simulation brings in.
 * 3. An order that pays nothing at all has a warning of its own.
 */
export function minimumWarnings(
  steps: readonly IntentStep[],
  changes: Intent['changes'],
  own: readonly string[],
): readonly Warning[] {
  const swaps = steps.flatMap((step) => (step.kind === 'swap' ? [step.receiveAtLeast] : []))
  const expected = (least: Amount) =>
    changes.kind === 'unknown'
      ? []
      : changes.changes.filter(({ direction, amount }) => direction === 'in' && isSameToken(amount, least))
  const isLow = (least: Amount) =>
    isNextToNothing(least) ||
    (swaps.length === 1 && expected(least).some(({ amount }) => BigInt(least.raw) * 2n < BigInt(amount.raw)))
  const isLowOrder = (step: IntentStep) => {
    const paid = step.kind !== 'order' ? [] : step.gets.filter(({ to }) => own.some((one) => isSameAddress(one, to)))
    const amounts = paid.flatMap(({ amount }) => (amount.raw === '0' ? [] : [amount]))
    return amounts.length > 0 && amounts.every(isNextToNothing)
  }
  return swaps.some(isLow) || steps.some(isLowOrder) ? [{ kind: 'lowMinimum' }] : []
}

const isSameToken = (one: Amount, other: Amount) => one.token?.toLowerCase() === other.token?.toLowerCase()
