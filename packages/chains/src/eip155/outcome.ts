import * as z from 'zod/mini'
import type { ChainClient } from '../chain-client'
import { askNode } from '../nodes/ask-node'
import type { OutcomePoll } from '../outcomes/transaction-end'
import { Quantity } from './adapter'
import { callOutcome, revertReason, type SentTransaction } from './receipt'

/** Without `transaction`, a replacement is missed if the chain never saw the original. */
export type Sent = { readonly hash: string; readonly transaction?: Omit<SentTransaction, 'hash'> }

const Bytes = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/))
const Known = z.nullable(
  z.object({ from: Bytes, nonce: Quantity, to: z.nullish(Bytes), value: Quantity, input: Bytes }),
)

export function outcomePoll({ rpc }: ChainClient, { hash, transaction }: Sent): OutcomePoll {
  let sentTransaction: SentTransaction | null = transaction === undefined ? null : { ...transaction, hash }

  async function read(signal: AbortSignal): Promise<SentTransaction | null> {
    const found = await askNode(rpc, Known, 'eth_getTransactionByHash', [hash], signal)
    if (found === null) return null
    const { from, nonce, to = null, value, input } = found
    return { hash, from, nonce: Number(nonce), to, value: BigInt(value), data: input }
  }

  return async (signal) => {
    sentTransaction ??= await read(signal)
    if (sentTransaction === null) return null
    const outcome = await callOutcome(rpc, sentTransaction, signal)
    if (outcome === null) return null
    if (outcome.kind === 'replaced') return { kind: outcome.reason, hash: outcome.hash }
    const { kind, receipt } = outcome
    const isOwn = receipt.transactionHash.toLowerCase() === hash.toLowerCase()
    const end = isOwn ? hash : receipt.transactionHash
    if (kind === 'confirmed') return { kind: isOwn ? 'confirmed' : 'repriced', hash: end }
    return { kind, reason: await revertReason(rpc, sentTransaction, receipt, signal), hash: end }
  }
}
