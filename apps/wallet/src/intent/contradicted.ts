/** Whether a simulation says less than the request: a lying endpoint must not make a payment look like a gain. */
import { isSameAddress } from '@postern/chains/same-address'
import type { Amount, BalanceChange, Intent, IntentStep } from './intent'
import { receiversOf } from './receivers'

const stepsThatMoveNothing: ReadonlySet<IntentStep['kind']> = new Set([
  'approve',
  'approveAll',
  'increase',
  'permit',
  'permission',
  'deploy',
])
/** May move another account's tokens to the owner. */
const transferFromNames: ReadonlySet<string | undefined> = new Set(['transferFrom', 'safeTransferFrom'])

/**
 * 1. Only a step brings something in: a transfer its amount, a swap the bought token, an unread step anything. A
 *    contract that pays for a transfer is rare, and shows only what it wants a simulation to show.
 * 2. With only transfers and allowances, a transfer to others leaves in full; with one swap, or if the amount is
 *    unclear, something leaves. Other requests may bring back what they take.
 */
export function isContradicted(
  all: readonly IntentStep[],
  changes: readonly BalanceChange[],
  own: readonly string[],
): boolean {
  const comesIn = changes.filter(({ direction }) => direction === 'in')
  if (all.length > 0 && comesIn.some(({ amount }) => !isBrought(amount, all, own))) return true
  const steps = all.filter((step, at) => !isStill(step) && !isDeposit(step, all[at + 1]))
  const swaps = steps.filter(({ kind }) => kind === 'swap')
  if (swaps.length > 1 || (swaps.length === 1 && steps.length > 1)) return false
  const sent = steps.map((step) => sentBy(step, own))
  if (sent.includes(null)) return false
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

/** Rule 1. */
function isBrought(amount: Amount, steps: readonly IntentStep[], own: readonly string[]): boolean {
  const brought = steps.map((step) => broughtBy(step, amount, own))
  return (
    brought.includes('any') ||
    brought.reduce<bigint>((sum, one) => sum + (one === 'any' ? 0n : one), 0n) >= BigInt(amount.raw)
  )
}

/** What a step can bring of `amount`'s currency or item. */
function broughtBy(step: IntentStep, amount: Amount, own: readonly string[]): bigint | 'any' {
  if (isStill(step)) return 0n
  const isOwn = (address: string) => own.some((one) => isSameAddress(one, address))
  switch (step.kind) {
    case 'transfer': {
      const { maybeItem, unlimited, everything, token, raw } = step.amount
      if (everything === true || !isOwn(step.to)) return 0n
      if (maybeItem || unlimited) return isSameToken(token, amount.token) ? 'any' : 0n
      return keyOf(step.amount) === keyOf(amount) ? BigInt(raw) : 0n
    }
    case 'swap':
      return keyOf(step.receiveAtLeast) === keyOf(amount) ? 'any' : 0n
    case 'instruction':
      if (step.isHarmless !== true) return 'any'
      return step.brings !== undefined && keyOf(step.brings) === keyOf(amount) ? 'any' : 0n
    case 'call': {
      if (step.isPlain !== true) return 'any'
      const isToOwner = transferFromNames.has(step.name) && (step.receivers ?? []).some(isOwn)
      return isToOwner && isSameToken(step.contract, amount.token) ? 'any' : 0n
    }
    default:
      return 'any'
  }
}

/**
 * The changes, with at least what leaves according to the steps.
 *
 * 1. A transfer to others leaves in full. Of a call, a new contract or a swap, up to half may come back.
 * 2. If less leaves, the steps' full amount counts, and other changes are possible.
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
    stepsThatMoveNothing.has(step.kind) ||
    (step.kind === 'instruction' && step.isHarmless === true && step.brings === undefined)
  )
}

function isDeposit({ kind }: IntentStep, next: IntentStep | undefined): boolean {
  return kind === 'transfer' && next?.kind === 'instruction' && next.hasDeposit === true
}

function sentBy(step: IntentStep, own: readonly string[]): readonly Amount[] | null {
  if (step.kind === 'swap') return [step.pay]
  if (step.kind !== 'transfer' || step.amount.everything === true) return null
  return receiversOf(step).every((to) => own.some((one) => isSameAddress(one, to))) ? [] : [step.amount]
}

function leastOf({ raw, unlimited, maybeItem }: Amount, isSwap: boolean): bigint {
  if (raw === '0') return 0n
  return isSwap || unlimited || maybeItem ? 1n : BigInt(raw)
}

function keyOf({ token, tokenId }: Pick<Amount, 'token' | 'tokenId'>): string {
  return `${token?.toLowerCase() ?? ''} ${tokenId ?? ''}`
}

const isSameToken = (one: string | undefined, other: string | undefined) => one?.toLowerCase() === other?.toLowerCase()
