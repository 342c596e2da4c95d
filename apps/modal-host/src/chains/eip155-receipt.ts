/** How a transaction of an EVM account ended (spec §4): confirmed, reverted, or replaced by another one of the same nonce. */
import { limits } from '@postern/protocol'
import * as z from 'zod/mini'
import { LinkFailure } from '../link/failure'
import type { Clock } from '../services/clock'
import type { JsonRpcClient } from '../services/json-rpc'
import { Quantity } from './eip155'

export type SentTransaction = {
  readonly hash: string
  readonly from: string
  readonly nonce: number
  /** Null for the creation of a contract. */
  readonly to: string | null
  /** Wei. */
  readonly value: bigint
  readonly data: string
}

const Bytes = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/))
export const Receipt = z.object({
  transactionHash: Bytes,
  blockHash: Bytes,
  blockNumber: Quantity,
  gasUsed: Quantity,
  /** 0x1 where it did what it was for. */
  status: z.optional(z.nullable(Quantity)),
  logs: z.array(z.object({ address: Bytes, data: Bytes, topics: z.array(Bytes) })),
})
export type Receipt = z.infer<typeof Receipt>

/**
 * `repriced`: the same with another fee. `cancelled`: nothing, sent to oneself. `replaced`: something else.
 * `hash` of what took its place is null where it is no longer among the newest blocks.
 */
export type TransactionOutcome =
  | { readonly kind: 'confirmed' | 'reverted'; readonly receipt: Receipt }
  | { readonly kind: 'replaced'; readonly reason: 'repriced' | 'cancelled' | 'replaced'; readonly hash: string | null }

const BlockTransaction = z.object({
  hash: Bytes,
  from: Bytes,
  nonce: Quantity,
  to: z.optional(z.nullable(Bytes)),
  value: Quantity,
  input: Bytes,
})
const Block = z.nullable(z.object({ number: Quantity, transactions: z.array(BlockTransaction) }))

/** Blocks that are searched, from the newest back, for what replaced a transaction. */
const searchedBlocks = 16

/**
 * Asks every 4 s until it ended (spec §9).
 *
 * 1. It rejects with TIMEOUT after 180 s; what was sent may still be mined.
 * 2. Up to 6 questions may fail, one after the other, before it rejects with the failure.
 * 3. It ends with its signal: ABORTED.
 */
export async function waitForReceipt(
  rpc: JsonRpcClient,
  sent: SentTransaction,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<TransactionOutcome> {
  const end = clock.now() + limits.receiptTimeout
  for (let failures = 0; ; ) {
    try {
      const outcome = await transactionOutcome(rpc, sent, signal)
      if (outcome !== null) return outcome
      failures = 0
    } catch (error) {
      if (signal.aborted) throw new LinkFailure('ABORTED', { cause: error })
      failures += 1
      if (failures > limits.receiptRetries) throw error
    }
    if (clock.now() + limits.rpcPollingInterval > end) throw new LinkFailure('TIMEOUT')
    await pause(clock, signal)
  }
}

/** How it ended; null while it waits. */
export async function transactionOutcome(
  rpc: JsonRpcClient,
  sent: SentTransaction,
  signal: AbortSignal,
): Promise<TransactionOutcome | null> {
  const ask = <T>(schema: z.ZodMiniType<T>, method: string, ...params: unknown[]) =>
    rpc.request({ method, params }, signal).then((answer) => parse(schema, answer))
  const receiptOf = () => ask(z.nullable(Receipt), 'eth_getTransactionReceipt', sent.hash)

  const [receipt, count] = await Promise.all([
    receiptOf(),
    ask(Quantity, 'eth_getTransactionCount', sent.from, 'latest'),
  ])
  if (receipt !== null) return ended(receipt)
  if (Number(count) <= sent.nonce) return null
  // Its block may have come between the two answers.
  const late = await receiptOf()
  if (late !== null) return ended(late)
  const newest = await ask(Quantity, 'eth_blockNumber')
  for (let back = 0; back < searchedBlocks && back <= Number(newest); back += 1) {
    const block = await ask(Block, 'eth_getBlockByNumber', `0x${(BigInt(newest) - BigInt(back)).toString(16)}`, true)
    const other = block?.transactions.find((it) => isSame(it.from, sent.from) && Number(it.nonce) === sent.nonce)
    if (other === undefined) continue
    const found = isSame(other.hash, sent.hash) ? await receiptOf() : null
    return found === null ? { kind: 'replaced', reason: reasonOf(sent, other), hash: other.hash } : ended(found)
  }
  return { kind: 'replaced', reason: 'replaced', hash: null }
}

function ended(receipt: Receipt): TransactionOutcome {
  const isReverted = typeof receipt.status === 'string' && BigInt(receipt.status) === 0n
  return { kind: isReverted ? 'reverted' : 'confirmed', receipt }
}

function reasonOf(sent: SentTransaction, other: z.infer<typeof BlockTransaction>) {
  const value = BigInt(other.value)
  const isSameCall = isSame(other.to ?? '', sent.to ?? '') && value === sent.value && isSame(other.input, sent.data)
  if (isSameCall) return 'repriced'
  return isSame(other.to ?? '', sent.from) && value === 0n ? 'cancelled' : 'replaced'
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function parse<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new LinkFailure('INTERNAL', { cause: parsed.error })
}

function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new LinkFailure('ABORTED'))
    const stop = clock.after(limits.rpcPollingInterval, () => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    const onAbort = () => {
      stop()
      reject(new LinkFailure('ABORTED'))
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
