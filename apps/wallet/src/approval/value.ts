/** The value of a request in US dollars, for a project's limit. */
import { type CaipNetworkId, nativeAddressOf, type PriceQuery, Prices } from '@postern/protocol'
import type { Amount, Intent, Warning } from '../intent/intent'

/**
 * What leaves the account in the network's own currency, the highest fee included unless it is sponsored.
 *
 * 1. Transfers of the own currency and the outputs of a Bitcoin transaction that are not the owner's count in full.
 * 2. A sign-in message, the deployment of the account and who the user is have no value of their own.
 * 3. Everything else has no known value: tokens, collectibles, approvals, permits, orders, permissions, swaps, calls, other
 *    messages, and what carries a warning that more may happen than is listed.
 *
 * @returns null if unknown; without an amount if nothing leaves.
 */
export function nativeValueOf({ steps, fee, warnings }: Intent): NativeValue | null {
  if (warnings.some(({ kind }) => !isHarmless(kind))) return null
  const amounts: Amount[] = []
  for (const step of steps) {
    if (step.kind === 'transfer' && isNative(step.amount)) amounts.push(step.amount)
    else if (step.kind === 'outputs' && fee !== null) {
      const paid = step.outputs.filter(({ own }) => !own).map(({ amount }) => amount)
      if (!paid.every(isNative)) return null
      amounts.push(...paid)
    } else if (step.kind !== 'signIn' && step.kind !== 'deploy' && step.kind !== 'user') return null
  }
  if (fee !== null && !fee.sponsored) amounts.push(fee.amount)
  const raw = amounts.reduce((sum, amount) => sum + BigInt(amount.raw), 0n)
  return { raw, decimals: amounts[0]?.decimals ?? 0 }
}

export type NativeValue = { readonly raw: bigint; readonly decimals: number }

function isNative({ token, tokenId, unlimited, decimals }: Amount): boolean {
  return token === undefined && tokenId === undefined && unlimited === undefined && decimals !== undefined
}

/** These say nothing about what else may leave. */
function isHarmless(kind: Warning['kind']): boolean {
  switch (kind) {
    case 'highFee':
    case 'firstTimeRecipient':
    case 'lookalikeRecipient':
    case 'wouldFail':
      return true
    default:
      return false
  }
}

export type PriceOptions = {
  readonly projectId: string
  /** The gateway's, on the wallet's own origin. */
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
}

/** Null if the value or the price is unknown, or the gateway does not answer. */
export async function dollarsOf(
  intent: Intent,
  networkId: CaipNetworkId,
  options: PriceOptions,
): Promise<number | null> {
  const value = nativeValueOf(intent)
  if (value === null || value.raw === 0n) return value === null ? null : 0
  const price = await nativePrice(networkId, options).catch(() => null)
  return price === null ? null : (Number(value.raw) / 10 ** value.decimals) * price
}

async function nativePrice(
  networkId: CaipNetworkId,
  { projectId, baseUrl, fetch, signal }: PriceOptions,
): Promise<number | null> {
  const address = `${networkId}:${nativeAddressOf(networkId)}`
  const query: PriceQuery = { currency: 'usd', addresses: [address], projectId }
  const response = await fetch(`${baseUrl}/v1/fungible/price?${new URLSearchParams({ projectId })}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(query),
    signal,
  })
  if (!response.ok) return null
  const prices = Prices.safeParse(await response.json())
  return prices.data?.fungibles.find((one) => one.address === address)?.price ?? null
}
