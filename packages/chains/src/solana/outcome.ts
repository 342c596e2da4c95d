import * as z from 'zod/mini'
import type { ChainClient } from '../chain-client'
import { parseNodeAnswer } from '../nodes/ask-node'
import type { JsonRpcClient } from '../nodes/json-rpc'
import type { OutcomePoll } from '../outcomes/transaction-end'
import { parseTransaction } from './transaction'

/** `hash`: first signature. `transaction`: base64, signed or not. */
export type Sent = { readonly hash: string; readonly transaction: string }

export function outcomePoll({ rpc }: ChainClient, { hash, transaction }: Sent): OutcomePoll {
  const poll = solanaOutcome(rpc, { signature: hash, transaction })
  return async (signal) => {
    const found = await poll(signal)
    switch (found?.kind) {
      case undefined:
        return null
      case 'confirmed':
        return { kind: 'confirmed', hash }
      case 'failed':
        return { kind: 'reverted', reason: found.reason, hash }
      case 'expired':
        return { kind: 'dropped', hash }
    }
  }
}

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

const maxReasonLength = 200

/**
 * Returns a poll; null means pending.
 *
 * 1. `confirmed` or `finalized`: two thirds of the stake voted for its block.
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
 * No block can include the transaction any more.
 * Its own last block height is unknown: the newest blockhash's is not lower. Compared with the finalised height, so a
 * lagging node only delays the result.
 */
export function expiryOf(rpc: JsonRpcClient, transaction: string): (signal: AbortSignal) => Promise<boolean> {
  let lastBlock: number | null = null
  return async (signal) => {
    if (hasDurableNonce(transaction)) return false
    lastBlock ??= await lastBlockFor(rpc, signal)
    return isPast(rpc, lastBlock, signal)
  }
}

/** For transactions made by now, except with a durable nonce. */
export async function lastBlockFor(rpc: JsonRpcClient, signal: AbortSignal): Promise<number> {
  const request = { method: 'getLatestBlockhash', params: [{ commitment: 'processed' }] }
  return parseNodeAnswer(Lifetime, await rpc.request(request, signal)).value.lastValidBlockHeight
}

export async function isPast(rpc: JsonRpcClient, lastBlock: number, signal: AbortSignal): Promise<boolean> {
  const request = { method: 'getBlockHeight', params: [{ commitment: 'finalized' }] }
  return parseNodeAnswer(z.int(), await rpc.request(request, signal)) > lastBlock
}

const systemProgram = '11111111111111111111111111111111'
const advanceNonce = 4

export function hasDurableNonce(transaction: string): boolean {
  const [first] = parseTransaction(transaction).instructions
  return first?.program === systemProgram && first.data[0] === advanceNonce
}

/** Null if the chain does not know it. `outcome`: null until enough stake has voted. */
export async function statusOf(
  rpc: JsonRpcClient,
  signature: string,
  signal: AbortSignal,
): Promise<{ readonly outcome: SolanaOutcome | null } | null> {
  const params = [[signature], { searchTransactionHistory: true }]
  const [status] = parseNodeAnswer(
    Statuses,
    await rpc.request({ method: 'getSignatureStatuses', params }, signal),
  ).value
  if (status === null || status === undefined) return null
  const { err, confirmationStatus } = status
  if (confirmationStatus !== 'confirmed' && confirmationStatus !== 'finalized') return { outcome: null }
  if (err === null || err === undefined) return { outcome: { kind: 'confirmed' } }
  return { outcome: { kind: 'failed', reason: reasonOf(err) } }
}

/** Such as `InstructionError 0 Custom 1`. */
function reasonOf(error: unknown): string {
  const text = JSON.stringify(error).replace(/[^\p{L}\p{N}.-]+/gu, ' ')
  return text.trim().slice(0, maxReasonLength)
}
