import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import { parseNodeAnswer } from '../nodes/ask-node'
import type { JsonRpcClient } from '../nodes/json-rpc'
import { isSameAddress } from '../same-address'
import { Quantity } from './adapter'

export type SentTransaction = {
  readonly hash: string
  readonly from: string
  readonly nonce: number
  /** Null: creates a contract. */
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
  /** 0x1 on success. */
  status: z.optional(z.nullable(Quantity)),
  logs: z.array(z.object({ address: Bytes, data: Bytes, topics: z.array(Bytes) })),
})
export type Receipt = z.infer<typeof Receipt>

/** `repriced`: another fee. `cancelled`: an empty transaction to oneself. `hash`: null if not in the newest blocks. */
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

const Known = z.nullish(z.object({ blockHash: z.nullish(z.string()) }))

/** Newest blocks searched for a replacement. */
const searchedBlocks = 16

/**
 * Null while pending.
 *
 * 1. A transaction is replaced only by another one with the same nonce. In a block without receipt, it is pending.
 * 2. Nodes behind one endpoint may lag: what one of them does not know yet is pending.
 */
export async function transactionOutcome(
  rpc: JsonRpcClient,
  sent: SentTransaction,
  signal: AbortSignal,
): Promise<TransactionOutcome | null> {
  const ask = <T>(schema: z.ZodMiniType<T>, method: string, ...params: unknown[]) =>
    rpc.request({ method, params }, signal).then((answer) => parseNodeAnswer(schema, answer))
  const receiptOf = () => ask(z.nullable(Receipt), 'eth_getTransactionReceipt', sent.hash)

  const [receipt, count] = await Promise.all([
    receiptOf(),
    ask(Quantity, 'eth_getTransactionCount', sent.from, 'latest'),
  ])
  if (receipt !== null) return ended(receipt)
  if (Number(count) <= sent.nonce) return null
  // Perhaps mined between the responses.
  const late = await receiptOf()
  if (late !== null) return ended(late)
  const newest = await ask(Quantity, 'eth_blockNumber')
  for (let back = 0; back < searchedBlocks && back <= Number(newest); back += 1) {
    const block = await ask(Block, 'eth_getBlockByNumber', `0x${(BigInt(newest) - BigInt(back)).toString(16)}`, true)
    // This node is behind the one before.
    if (block === null) return null
    const other = block.transactions.find((it) => isSameAddress(it.from, sent.from) && Number(it.nonce) === sent.nonce)
    if (other === undefined) continue
    if (other.hash.toLowerCase() !== sent.hash.toLowerCase())
      return { kind: 'replaced', reason: reasonOf(sent, other), hash: other.hash }
    const found = await receiptOf()
    return found === null ? null : ended(found)
  }
  const [there, known] = await Promise.all([
    ask(Quantity, 'eth_getTransactionCount', sent.from, newest),
    ask(Known, 'eth_getTransactionByHash', sent.hash),
  ])
  const isReplaced = Number(there) > sent.nonce && typeof known?.blockHash !== 'string'
  return isReplaced ? { kind: 'replaced', reason: 'replaced', hash: null } : null
}

/** Follows a repriced transaction. */
export async function callOutcome(
  rpc: JsonRpcClient,
  sent: SentTransaction,
  signal: AbortSignal,
): Promise<TransactionOutcome | null> {
  const outcome = await transactionOutcome(rpc, sent, signal)
  if (outcome?.kind !== 'replaced' || outcome.reason !== 'repriced' || outcome.hash === null) return outcome
  const second = await transactionOutcome(rpc, { ...sent, hash: outcome.hash }, signal)
  return second?.kind === 'replaced' ? null : second
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

const maxReasonLength = 200

/** Null if unknown. Untrusted: the contract's author chose the text. */
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
    const [, text = ''] = /revert(?:ed)?(?: with reason string)?[\s:,]*(.*)$/is.exec(asFailure(thrown).message) ?? []
    // A selector with arguments is not readable text.
    const reason = /^(data\b|custom error\b|0x)/.test(text) ? '' : text.trim()
    return reason === '' ? null : reason.slice(0, maxReasonLength)
  }
}
