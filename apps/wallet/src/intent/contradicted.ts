/** Whether a simulation says less than the request itself: an endpoint that lies must not make a payment look like a gain. */
import { isSameAddress } from '@postern/chains/same-address'
import type { Amount, BalanceChange, Intent, IntentStep } from './intent'
import { receiversOf } from './receivers'

/** They take and bring nothing when they are carried out. */
const still: ReadonlySet<IntentStep['kind']> = new Set([
  'approve',
  'approveAll',
  'increase',
  'permit',
  'permission',
  'deploy',
])
/** Its deposit, the step before it, is an estimate. */
const tokenAccount = 'Token account'
/** Instructions that bring nothing either: a closed account would. */
const stillInstructions: ReadonlySet<string | undefined> = new Set([
  'Memo',
  'Compute budget',
  'Advance nonce',
  tokenAccount,
])

/**
 * 1. Only transfers and allowances, and a swap without transfers, have an effect that is known. All other requests may
 *    bring back what they take, so nothing contradicts them.
 * 2. What a transfer sends to others leaves in full; of a swap, of all of a token, and of what may be an item, something.
 * 3. Without a swap, nothing comes in but what a transfer sends to the owner. A contract that pays for a transfer is rare,
 *    and shows only what it wants a simulation to show.
 *
 * @param own the owner's addresses.
 */
export function isContradicted(
  all: readonly IntentStep[],
  changes: readonly BalanceChange[],
  own: readonly string[],
): boolean {
  const steps = all.filter((step, at) => !isStill(step) && !isDeposit(step, all[at + 1]))
  const swaps = steps.filter(({ kind }) => kind === 'swap')
  if (swaps.length > 1 || (swaps.length === 1 && steps.length > 1)) return false
  const sent = steps.map((step) => sentBy(step, own))
  if (sent.includes(null)) return false
  const brought = new Set(steps.flatMap((step) => (step.kind === 'transfer' ? [keyOf(step.amount)] : [])))
  const comesIn = changes.some(({ direction, amount }) => direction === 'in' && !brought.has(keyOf(amount)))
  if (all.length > 0 && swaps.length === 0 && comesIn) return true
  const least = new Map<string, bigint>()
  for (const amount of sent.flatMap((one) => one ?? [])) {
    const key = keyOf(amount)
    least.set(key, (least.get(key) ?? 0n) + leastOf(amount, swaps.length > 0))
  }
  const leaves = new Map(
    changes.flatMap(({ direction, amount }) =>
      direction === 'out' ? [[keyOf(amount), BigInt(amount.raw)] as const] : [],
    ),
  )
  return [...least].some(([key, raw]) => (leaves.get(key) ?? 0n) < raw)
}

/**
 * The changes with what the steps themselves say leaves, whatever a simulation says.
 *
 * 1. What a transfer sends to others leaves in full. What a call, a new contract or a swap takes may come back in part: up
 *    to half of it.
 * 2. If less leaves, all that the steps say counts, and there may be other changes.
 */
export function withStated(
  all: readonly IntentStep[],
  { changes, ...known }: Extract<Intent['changes'], { kind: 'known' }>,
  own: readonly string[],
): Extract<Intent['changes'], { kind: 'known' }> {
  const stated = new Map<string, { readonly amount: Amount; readonly least: bigint }>()
  for (const [at, step] of all.entries()) {
    const taken = isStill(step) || isDeposit(step, all[at + 1]) ? [] : statedBy(step, own)
    for (const amount of taken) {
      const raw = BigInt(amount.raw)
      const { amount: earlier = { ...amount, raw: '0' }, least = 0n } = stated.get(keyOf(amount)) ?? {}
      stated.set(keyOf(amount), {
        amount: { ...earlier, raw: `${BigInt(earlier.raw) + raw}` },
        least: least + (step.kind === 'transfer' ? raw : (raw + 1n) / 2n),
      })
    }
  }
  const leaves = (key: string) =>
    changes.reduce(
      (sum, { direction, amount }) => (direction === 'out' && keyOf(amount) === key ? sum + BigInt(amount.raw) : sum),
      0n,
    )
  const hidden = [...stated].flatMap(([key, { amount, least }]) =>
    leaves(key) < least ? [[key, amount] as const] : [],
  )
  if (hidden.length === 0) return { ...known, changes }
  const keys = new Set(hidden.map(([key]) => key))
  return {
    ...known,
    changes: [
      ...hidden.map(([, amount]) => ({ direction: 'out', amount }) as const),
      ...changes.filter(({ amount }) => !keys.has(keyOf(amount))),
    ],
    partial: true,
  }
}

/** Without what has no number, and what may be an item. */
function statedBy(step: IntentStep, own: readonly string[]): readonly Amount[] {
  const amounts =
    step.kind === 'call' || step.kind === 'create'
      ? [step.value]
      : step.kind === 'swap' || step.kind === 'transfer'
        ? (sentBy(step, own) ?? [])
        : []
  return amounts.filter(({ raw, unlimited, maybeItem }) => /[1-9]/.test(raw) && !unlimited && !maybeItem)
}

function isStill(step: IntentStep): boolean {
  return (
    still.has(step.kind) ||
    (step.kind === 'instruction' && step.isHarmless === true && stillInstructions.has(step.name))
  )
}

function isDeposit({ kind }: IntentStep, next: IntentStep | undefined): boolean {
  return kind === 'transfer' && next?.kind === 'instruction' && next.name === tokenAccount
}

/** Null if it is not known. */
function sentBy(step: IntentStep, own: readonly string[]): readonly Amount[] | null {
  if (step.kind === 'swap') return [step.pay]
  if (step.kind !== 'transfer' || step.amount.everything === true) return null
  return receiversOf(step).every((to) => own.some((one) => isSameAddress(one, to))) ? [] : [step.amount]
}

function leastOf({ raw, unlimited, maybeItem }: Amount, isSwap: boolean): bigint {
  if (raw === '0') return 0n
  return isSwap || unlimited || maybeItem ? 1n : BigInt(raw)
}

function keyOf({ token, tokenId }: Amount): string {
  return `${token?.toLowerCase() ?? ''} ${tokenId ?? ''}`
}
