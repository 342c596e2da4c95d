/** Compares allowances with the token's supply and the owner's balance. */
import type { ChainClient } from '@postern/chains/chain-client'
import { permit2, tokenAmount } from '@postern/chains/eip155/decode-call'
import { allowanceOf, balanceOf, supplyOf } from '@postern/chains/eip155/erc20'
import { isSameAddress } from '@postern/chains/same-address'
import type { Amount, IntentStep, Warning } from '../../../intent/intent'

/** Each takes two calls. Further tokens are judged by the amount's bits alone. */
const maxTokens = 32
/** Each takes a call. Further increases have no sum. */
const maxIncreases = 32

type Holding = { readonly balance: bigint | null; readonly supply: bigint | null }

/**
 * 1. An increase gets the sum with the steps before it; without a response it has none.
 * 2. From the token's supply on, an allowance is unlimited. A response never makes it smaller.
 * 3. An allowance of the owner's balance or more has a warning, except if a listed router may take exactly the balance:
 *    so does every swap of all of a token.
 * 4. So have several allowances that reach the balance together with the transfers beside them.
 */
export async function compareAllowances(
  client: ChainClient,
  owner: string,
  requestedSteps: readonly IntentStep[],
  {
    routers,
    own,
    signal,
  }: {
    readonly routers: readonly string[]
    readonly own: readonly string[]
    readonly signal: AbortSignal
  },
): Promise<{ readonly steps: readonly IntentStep[]; readonly warnings: readonly Warning[] }> {
  const increases = new Set(requestedSteps.filter(({ kind }) => kind === 'increase').slice(0, maxIncreases))
  const summed = await Promise.all(
    requestedSteps.map((step, at) =>
      increases.has(step) ? withTotal(client, owner, step, requestedSteps.slice(0, at), signal) : step,
    ),
  )
  const held = new Map(
    summed.flatMap((step) => {
      const { token } = allowedBy(step)?.amount ?? {}
      return token === undefined ? [] : [[keyOf(step, token), { token, owner: ownerOf(step, owner) }] as const]
    }),
  )
  const holdings = new Map(
    await Promise.all(
      [...held]
        .slice(0, maxTokens)
        .map(async ([key, one]) => [key, await holdingOf(client, one.token, one.owner, signal)] as const),
    ),
  )
  const compared = summed.map((step) => {
    const allowed = allowedBy(step)
    const holding = holdings.get(keyOf(step, allowed?.amount.token ?? ''))
    return allowed === null || holding === undefined ? { step, warnings: [] } : compare(step, allowed, holding, routers)
  })
  const steps = compared.map(({ step }) => step)
  const together = [...holdings].flatMap(([key, { balance }]) =>
    balance === null || balance === 0n ? [] : coveredTogether(steps, key, balance, { routers, own }),
  )
  return { steps, warnings: [...compared.flatMap(({ warnings }) => warnings), ...together] }
}

/**
 * Rule 4.
 *
 * 1. Each allowance for a spender replaces the previous one, so the largest counts; but all that are used up at once
 *    count.
 * 2. Permit2 moves only by its own allowances.
 */
function coveredTogether(
  steps: readonly IntentStep[],
  key: string,
  balance: bigint,
  { routers, own }: { readonly routers: readonly string[]; readonly own: readonly string[] },
): readonly Warning[] {
  const allowances = steps.flatMap((step) => {
    const allowed = allowedBy(step)
    const isCounted = allowed !== null && keyOf(step, allowed.amount.token ?? '') === key && allowed.amount.raw !== '0'
    return isCounted && !isSameAddress(allowed.spender, permit2) ? [{ ...allowed, step }] : []
  })
  const sent = steps.flatMap((step) => {
    if (step.kind !== 'transfer' || keyOf(step, step.amount.token ?? '') !== key) return []
    const { raw, tokenId, maybeItem } = step.amount
    const isBack = own.some((one) => isSameAddress(one, step.to))
    return isBack || tokenId !== undefined || maybeItem ? [] : [BigInt(raw)]
  })
  if (allowances.length + sent.length < 2 || allowances.length === 0) return []
  const largest = new Map<string, bigint>()
  for (const [at, { spender, amount, step }] of allowances.entries()) {
    const isUsedUp = step.kind === 'permit' && step.expiry === undefined
    const name = isUsedUp ? `${at}` : spender.toLowerCase()
    const raw = BigInt(amount.raw)
    if (raw > (largest.get(name) ?? 0n)) largest.set(name, raw)
  }
  const total = [...largest.values(), ...sent].reduce((sum, raw) => sum + raw, 0n)
  const isRouters = allowances.every(({ spender }) => routers.some((one) => isSameAddress(one, spender)))
  if (total < balance || (isRouters && total === balance)) return []
  return allowances.map(({ spender }) => ({ kind: 'coversBalance', spender }))
}

const ownerOf = (step: IntentStep, owner: string) => ('owner' in step ? (step.owner ?? owner) : owner)
const keyOf = (step: IntentStep, token: string) => `${ownerOf(step, '')} ${token}`.toLowerCase()

type Allowed = { readonly spender: string; readonly amount: Amount }

function allowedBy(step: IntentStep): Allowed | null {
  const allowed =
    step.kind === 'approve' || step.kind === 'permit'
      ? step
      : step.kind === 'increase'
        ? { spender: step.spender, amount: step.total ?? step.amount }
        : step.kind === 'permission' &&
            step.action === 'grant' &&
            step.signer !== undefined &&
            step.amount !== undefined
          ? { spender: step.signer, amount: step.amount }
          : null
  return allowed === null || allowed.amount.tokenId !== undefined || allowed.amount.maybeItem ? null : allowed
}

async function withTotal(
  client: ChainClient,
  owner: string,
  step: IntentStep,
  earlier: readonly IntentStep[],
  signal: AbortSignal,
): Promise<IntentStep> {
  if (step.kind !== 'increase' || step.amount.token === undefined) return step
  const { spender, amount } = step
  const { token } = step.amount
  const before = await allowanceOf(client.rpc, token, { owner: ownerOf(step, owner), spender }, signal).catch(
    () => null,
  )
  if (before === null) return step
  const added = earlier.reduce((sum, one) => {
    if (one.kind !== 'approve' && one.kind !== 'permit' && one.kind !== 'increase') return sum
    const isSame =
      isSameAddress(one.spender, spender) &&
      isSameAddress(one.amount.token ?? '', token) &&
      isSameAddress(ownerOf(one, owner), ownerOf(step, owner))
    if (!isSame || ('contract' in one && one.contract !== undefined)) return sum
    return one.kind === 'increase' ? sum + BigInt(one.amount.raw) : BigInt(one.amount.raw)
  }, before)
  return { ...step, total: { ...amount, ...tokenAmount(token, added + BigInt(amount.raw)) } }
}

async function holdingOf(client: ChainClient, token: string, owner: string, signal: AbortSignal): Promise<Holding> {
  const [balance, supply] = await Promise.all([
    balanceOf(client.rpc, token, owner, signal).catch(() => null),
    supplyOf(client.rpc, token, signal).catch(() => null),
  ])
  return { balance, supply }
}

function compare(
  step: IntentStep,
  { spender, amount }: Allowed,
  { balance, supply }: Holding,
  routers: readonly string[],
): { readonly step: IntentStep; readonly warnings: readonly Warning[] } {
  const raw = BigInt(amount.raw)
  if (amount.unlimited || (supply !== null && supply > 0n && raw >= supply)) {
    const unlimited = { ...amount, unlimited: true } as const
    const changed = step.kind === 'increase' ? { ...step, total: unlimited } : { ...step, amount: unlimited }
    return { step: step.kind === 'increase' && step.total === undefined ? step : changed, warnings: [] }
  }
  const isAll = balance !== null && balance > 0n && raw >= balance
  const isSwapOfAll = raw === balance && routers.some((one) => isSameAddress(one, spender))
  return { step, warnings: isAll && !isSwapOfAll ? [{ kind: 'coversBalance', spender }] : [] }
}
