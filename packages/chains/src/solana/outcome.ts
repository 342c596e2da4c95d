/** How a transaction of Solana ended: confirmed, failed in a program, or never taken because its blockhash grew too old. */
import * as z from 'zod/mini'
import { parseAnswer } from '../ask-node'
import type { JsonRpcClient } from '../json-rpc'
import { parseTransaction, type SolanaTransaction } from './transaction'

export type SolanaOutcome =
  | { readonly kind: 'confirmed' }
  /** The fee is spent. `reason` in the chain's own words. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'expired' }

const Statuses = z.object({
  value: z
    .array(
      z.nullable(
        z.object({ err: z.optional(z.unknown()), confirmationStatus: z.nullish(z.string().check(z.maxLength(32))) }),
      ),
    )
    .check(z.minLength(1), z.maxLength(1)),
})
const Lifetime = z.object({ value: z.object({ lastValidBlockHeight: z.int() }) })

/** As much of a chain's words as is shown. */
const longestReason = 200

/**
 * One look after the other: null while it waits. `transaction` is the wire form, base64; its signatures do not matter.
 *
 * 1. It is confirmed once two thirds of the stake voted for its block: `confirmed`, or `finalized`.
 * 2. It expired when no block can hold it any more ({@link expiryOf}) and the chain, asked once more after that, does not know it.
 */
export function solanaOutcome(
  rpc: JsonRpcClient,
  { signature, transaction }: { readonly signature: string; readonly transaction: string },
): (signal: AbortSignal) => Promise<SolanaOutcome | null> {
  const isTooOld = expiryOf(rpc, transaction)
  return async (signal) => {
    const found = await statusOf(rpc, signature, signal)
    if (found !== null) return found.outcome
    if (!(await isTooOld(signal))) return null
    const late = await statusOf(rpc, signature, signal)
    return late === null ? { kind: 'expired' } : late.outcome
  }
}

/**
 * Whether no block can hold a transaction any more. Its own last block is not known here: that of the newest blockhash, when it is first looked for, is no earlier.
 * Heights are those of finalised blocks, so that a node which is behind the others, or does not know a fresh blockhash yet, makes it later and never too early. A durable
 * nonce does not age.
 */
export function expiryOf(rpc: JsonRpcClient, transaction: string): (signal: AbortSignal) => Promise<boolean> {
  let lastBlock: number | null = null
  return async (signal) => {
    if (hasDurableNonce(parseTransaction(transaction))) return false
    const ask = (method: string, commitment: string) => rpc.request({ method, params: [{ commitment }] }, signal)
    lastBlock ??= parseAnswer(Lifetime, await ask('getLatestBlockhash', 'processed')).value.lastValidBlockHeight
    return parseAnswer(z.int(), await ask('getBlockHeight', 'finalized')) > lastBlock
  }
}

const systemProgram = '11111111111111111111111111111111'
/** The system program's instruction that a transaction with a durable nonce begins with. */
const advanceNonce = 4

/** What such a transaction has in the place of a blockhash does not age. */
function hasDurableNonce({ instructions: [first] }: SolanaTransaction): boolean {
  return first?.program === systemProgram && first.data[0] === advanceNonce
}

/** Null where the chain does not know it; its outcome is null while too few voted for it. */
export async function statusOf(
  rpc: JsonRpcClient,
  signature: string,
  signal: AbortSignal,
): Promise<{ readonly outcome: SolanaOutcome | null } | null> {
  const params = [[signature], { searchTransactionHistory: true }]
  const [status] = parseAnswer(Statuses, await rpc.request({ method: 'getSignatureStatuses', params }, signal)).value
  if (status === null || status === undefined) return null
  const { err, confirmationStatus } = status
  if (confirmationStatus !== 'confirmed' && confirmationStatus !== 'finalized') return { outcome: null }
  if (err === null || err === undefined) return { outcome: { kind: 'confirmed' } }
  return { outcome: { kind: 'failed', reason: reasonOf(err) } }
}

/** Such as `InsufficientFundsForFee`, or `InstructionError 0 Custom 1`. */
function reasonOf(error: unknown): string {
  const text = JSON.stringify(error).replace(/[^\p{L}\p{N}.-]+/gu, ' ')
  return text.trim().slice(0, longestReason)
}
