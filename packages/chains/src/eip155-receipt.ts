/** How a transaction of an EVM account ended (spec §4): confirmed, reverted, or replaced by another one of the same nonce. */

import type { Clock } from '@postern/protocol/clock'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import { parseAnswer } from './ask-node'
import { Quantity } from './eip155'
import type { JsonRpcClient } from './json-rpc'
import { isSameAddress } from './same-address'
import { untilEnded } from './until-ended'

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

/** Asks every 4 s until it ended, with the limits of {@link untilEnded} (spec §9). */
export function waitForReceipt(
  rpc: JsonRpcClient,
  sent: SentTransaction,
  wait: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<TransactionOutcome> {
  return untilEnded(() => transactionOutcome(rpc, sent, wait.signal), wait)
}

/** How it ended; null while it waits. */
export async function transactionOutcome(
  rpc: JsonRpcClient,
  sent: SentTransaction,
  signal: AbortSignal,
): Promise<TransactionOutcome | null> {
  const ask = <T>(schema: z.ZodMiniType<T>, method: string, ...params: unknown[]) =>
    rpc.request({ method, params }, signal).then((answer) => parseAnswer(schema, answer))
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
    // The node that answers is behind the one that counted, or that named the newest block: nothing is known yet.
    if (block === null) return null
    const other = block.transactions.find((it) => isSameAddress(it.from, sent.from) && Number(it.nonce) === sent.nonce)
    if (other === undefined) continue
    const found = other.hash.toLowerCase() === sent.hash.toLowerCase() ? await receiptOf() : null
    return found === null ? { kind: 'replaced', reason: reasonOf(sent, other), hash: other.hash } : ended(found)
  }
  const there = await ask(Quantity, 'eth_getTransactionCount', sent.from, newest)
  return Number(there) <= sent.nonce ? null : { kind: 'replaced', reason: 'replaced', hash: null }
}

function ended(receipt: Receipt): TransactionOutcome {
  const isReverted = typeof receipt.status === 'string' && BigInt(receipt.status) === 0n
  return { kind: isReverted ? 'reverted' : 'confirmed', receipt }
}

function reasonOf(sent: SentTransaction, other: z.infer<typeof BlockTransaction>) {
  const value = BigInt(other.value)
  const isSameCall =
    isSameAddress(other.to ?? '', sent.to ?? '') &&
    value === sent.value &&
    other.input.toLowerCase() === sent.data.toLowerCase()
  if (isSameCall) return 'repriced'
  return isSameAddress(other.to ?? '', sent.from) && value === 0n ? 'cancelled' : 'replaced'
}

/** As much of a chain's words as is shown. */
const longestReason = 200

/** Why a transaction was reverted, in the chain's own words; null where it says none. Whoever wrote the contract chose them. */
export async function revertReason(
  rpc: JsonRpcClient,
  { from, to, value, data }: SentTransaction,
  { blockNumber }: Receipt,
  signal: AbortSignal,
): Promise<string | null> {
  const call = { from, ...(to !== null && { to }), value: `0x${value.toString(16)}`, data }
  try {
    await rpc.request({ method: 'eth_call', params: [call, blockNumber] }, signal)
    return null
  } catch (thrown) {
    const [, said = ''] = /revert(?:ed)?(?: with reason string)?[\s:,]*(.*)$/is.exec(asFailure(thrown).message) ?? []
    // A selector and its arguments are no words.
    const reason = /^(data\b|custom error\b|0x)/.test(said) ? '' : said.trim()
    return reason === '' ? null : reason.slice(0, longestReason)
  }
}
