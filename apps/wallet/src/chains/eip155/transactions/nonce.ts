import { Failure } from '@postern/protocol/failure'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { replacedMessage } from '../../sent-state'
import { chainOf } from '../endpoints/endpoints'
import { Quantity } from '../endpoints/quantities'
import { keepsNonce, newestOf, type Sender, type Sent, type SentNote } from '../sent/sent'
import { type Found, requiredNonce } from '../sent/settle'

const Receipt = z.nullish(z.object({ status: Quantity }))
const ByHash = z.nullish(z.looseObject({}))

/**
 * The only source of nonces for the plain account's transactions.
 *
 * 1. A nonce of {@link requiredNonce} comes first.
 * 2. Otherwise the highest of: the chain's count, its pending count, and every taken note + 1. A node may not have seen
 *    our last transaction, or return `latest` for `pending`.
 * 3. A note beyond a gap counts only while a lagging node explains the gap. Later, a nonce beyond it would block the
 *    account.
 * 4. Our own lost transactions are sent again.
 *
 * @throws {Failure} as {@link requiredNonce}
 */
export async function nextTransactionNonce(sender: Sender, sent: Sent, context: ChainContext): Promise<bigint> {
  const ask = chainOf(context)
  const countOf = (block: 'latest' | 'pending') => ask('eth_getTransactionCount', [sender.account, block], Quantity)
  const [latest, pending] = await Promise.all([countOf('latest'), countOf('pending')])
  const find = async (hash: Hex): Promise<Found | null> => {
    const [receipt, known] = await Promise.all([
      ask('eth_getTransactionReceipt', [hash], Receipt),
      ask('eth_getTransactionByHash', [hash], ByHash),
    ])
    if (receipt) return { kind: 'included', isGood: receipt.status === 1n, transactionHash: hash }
    return known ? { kind: 'waiting' } : null
  }
  let next = pending
  if (latest > next) next = latest
  // Rule 3.
  for (const { nonce, isRecent } of await sent.taken(sender))
    if (nonce === next || (nonce > next && isRecent)) next = nonce + 1n
  // Rule 4, even if another request must wait for it.
  sendLostAgain(await sent.of(sender), find, context)
  const free = await requiredNonce(sender, sent, {
    next: async () => latest,
    isHeld: async (nonce) => pending > nonce,
    isBeyondGap: (nonce) => nonce > next,
    find,
    // A transaction has no end.
    now: async () => 0n,
  })
  return free ?? next
}

/**
 * Requires that no other tab has used the nonce. Returns the notes that it was chosen by.
 * @throws {Failure} as {@link requiredNonce}, TRANSACTION_REPLACED if the nonce is taken
 */
export async function requireTransactionNonce(
  nonce: bigint,
  sender: Sender,
  sent: Sent,
  context: ChainContext,
): Promise<readonly SentNote[]> {
  const known = await sent.of(sender)
  if ((await nextTransactionNonce(sender, sent, context)) !== nonce)
    throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage })
  return known
}

/** In the background: no request waits for it. */
function sendLostAgain(
  notes: readonly SentNote[],
  find: (hash: Hex) => Promise<Found | null>,
  context: ChainContext,
): void {
  const ask = chainOf(context)
  const again = notes.map(async (note) => {
    const signed = note.replacements?.at(-1)?.signed ?? note.signed
    if (!keepsNonce(note) || signed === undefined || (await find(newestOf(note))) !== null) return
    await ask('eth_sendRawTransaction', [signed], z.unknown())
  })
  // A node that refuses it now may accept it later.
  void Promise.allSettled(again)
}
