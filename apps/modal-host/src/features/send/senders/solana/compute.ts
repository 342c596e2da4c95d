import { askNode } from '@postern/chains/nodes/ask-node'
import type { JsonRpcClient } from '@postern/chains/nodes/json-rpc'
import * as z from 'zod/mini'

export type ComputeOffer = {
  readonly ceiling: number
  /** In micro-lamports per unit. */
  readonly price: bigint
}

/** In lamports; as much as twenty signatures. */
const maxPriorityFee = 100_000n

/** In units, with room: a transfer of lamports uses 450, of a token 7,000, with an opened account 35,000. */
const ceilings = { lamports: 1_000, tokens: 30_000, opening: 80_000 } as const

export type TransferKind = keyof typeof ceilings

/** In lamports; rounded up, as the chain does. */
export const priorityFee = (units: number, price: bigint): bigint => (BigInt(units) * price + 999_999n) / 1_000_000n

/** Caps the price, so that the fee is at most {@link maxPriorityFee}. */
export function offerOf(kind: TransferKind, price: bigint): ComputeOffer {
  const ceiling = ceilings[kind]
  const highest = (maxPriorityFee * 1_000_000n) / BigInt(ceiling)
  return { ceiling, price: price < highest ? price : highest }
}

/**
 * Units and price of the transaction itself.
 *
 * 1. The limit is a simulation's use plus a fifth; without a simulation, the ceiling.
 * 2. The fee is never above the quoted one: if more units are needed, each costs less.
 */
export function limitFor(used: number | null, { ceiling, price }: ComputeOffer): { units: number; price: bigint } {
  const units = used === null ? ceiling : Math.ceil(used * 1.2)
  const highest = (priorityFee(ceiling, price) * 1_000_000n) / BigInt(units)
  return { units, price: price < highest ? price : highest }
}

const RecentFees = z.array(z.object({ prioritizationFee: z.int().check(z.gte(0)) }))

/**
 * In micro-lamports per unit: what three of four recent blocks charged to write to these accounts. Zero without an
 * answer.
 */
export async function recentPrice(
  rpc: JsonRpcClient,
  accounts: readonly string[],
  signal: AbortSignal,
): Promise<bigint> {
  const method = 'getRecentPrioritizationFees'
  const recent = await askNode(rpc, RecentFees, method, [accounts], signal).catch(() => unlessAborted([], signal))
  const fees = recent.map(({ prioritizationFee }) => prioritizationFee).sort((one, other) => one - other)
  return BigInt(fees[Math.floor(fees.length * 0.75)] ?? 0)
}

const Simulated = z.object({
  value: z.object({ err: z.unknown(), unitsConsumed: z.optional(z.int().check(z.gt(0), z.lte(1_400_000))) }),
})

/** Null if the transaction would fail, or without an answer. */
export async function simulatedUnits(
  rpc: JsonRpcClient,
  transaction: string,
  signal: AbortSignal,
): Promise<number | null> {
  const config = { encoding: 'base64', commitment: 'confirmed', sigVerify: false, replaceRecentBlockhash: true }
  const params = [transaction, config]
  const answer = await askNode(rpc, Simulated, 'simulateTransaction', params, signal).catch(() =>
    unlessAborted(null, signal),
  )
  return answer === null || answer.value.err !== null ? null : (answer.value.unitsConsumed ?? null)
}

function unlessAborted<T>(otherwise: T, signal: AbortSignal): T {
  signal.throwIfAborted()
  return otherwise
}
