import * as z from 'zod/mini'
import { parseAnswer } from '../ask-node'
import type { JsonRpcClient } from '../json-rpc'
import { parseTransaction, type SolanaTransaction } from './transaction'

export type SolanaOutcome =
  | { readonly kind: 'confirmed' }
  /** The fee is spent. */
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

/** Max characters of the chain's error text. */
const maxReasonLength = 200

/**
 * Returns a poll function; null means pending. `transaction` is base64; its signatures are ignored.
 *
 * 1. Confirmed once two thirds of the stake voted for its block: `confirmed` or `finalized`.
 * 2. Expired when no block can include it any more ({@link expiryOf}) and a last check does not find it.
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
 * Returns a check whether no block can include the transaction any more. Its own last valid block is unknown; the
 * newest blockhash's at the first check is no earlier. Heights are finalised, so a lagging node makes the result late,
 * never early. A durable nonce does not expire.
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
/** The first instruction of a durable-nonce transaction. */
const advanceNonce = 4

function hasDurableNonce({ instructions: [first] }: SolanaTransaction): boolean {
  return first?.program === systemProgram && first.data[0] === advanceNonce
}

/** Null if the chain does not know it; `outcome` is null until enough stake voted. */
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

/** Such as `InsufficientFundsForFee` or `InstructionError 0 Custom 1`. */
function reasonOf(error: unknown): string {
  const text = JSON.stringify(error).replace(/[^\p{L}\p{N}.-]+/gu, ' ')
  return text.trim().slice(0, maxReasonLength)
}
