/** What a swap guarantees: the rest is only expected, and others can take it. */
import type { Amount, Intent, IntentStep, Warning } from './intent'

/**
 * 1. Less than a millionth of the token is as good as nothing.
 * 2. So is less than half of what a simulation brings in.
 */
export function minimumWarnings(steps: readonly IntentStep[], changes: Intent['changes']): readonly Warning[] {
  const swaps = steps.flatMap((step) => (step.kind === 'swap' ? [step.receiveAtLeast] : []))
  const expected = (least: Amount) =>
    changes.kind === 'unknown'
      ? []
      : changes.changes.filter(({ direction, amount }) => direction === 'in' && isSameToken(amount, least))
  const isLow = (least: Amount) =>
    BigInt(least.raw) * 1_000_000n <= 10n ** BigInt(least.decimals ?? 6) ||
    (swaps.length === 1 && expected(least).some(({ amount }) => BigInt(least.raw) * 2n < BigInt(amount.raw)))
  return swaps.some(isLow) ? [{ kind: 'lowMinimum' }] : []
}

const isSameToken = (one: Amount, other: Amount) => one.token?.toLowerCase() === other.token?.toLowerCase()
