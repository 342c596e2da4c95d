/** Transactions that this wallet has sent on Solana, on this site and device. */

import { type Clock, systemClock } from '@postern/base/clock'
import type { JsonRpcClient } from '@postern/chains/nodes/json-rpc'
import { hasDurableNonce, isPast, lastBlockFor, statusOf } from '@postern/chains/solana/outcome'
import { messageOf, parseTransaction } from '@postern/chains/solana/transaction'
import { asFailure } from '@postern/protocol/wallet-errors'
import { base64 } from '@scure/base'
import * as z from 'zod/mini'
import { listIn, memoryNotes, type Notes } from '../notes'
import { carriedOut, judgeBy, type SentState, sentState, stillPending, withoutOldest, withState } from '../sent-state'
import { computeBudget } from './intent/accounts'

const SentNote = z.object({
  networkId: z.string(),
  account: z.string(),
  signature: z.string(),
  /** Base64. */
  transaction: z.optional(z.string()),
  /** Last block height that may include it, as of the refusal or the first check: late, never early. */
  lastBlock: z.optional(z.int()),
  ...sentState,
})
type SentNote = z.infer<typeof SentNote>

type Sender = Pick<SentNote, 'networkId' | 'account'>

export type SentSolana = {
  /**
   * `transaction`: the next one, in base64.
   * @throws {Failure} REQUEST_PENDING, TRANSACTION_REPLACED
   */
  requireNoneUncertain(
    next: Sender & { readonly transaction: string },
    rpc: JsonRpcClient,
    signal: AbortSignal,
  ): Promise<void>
  /** @throws as `broadcast` */
  send<T>(
    sent: Sender & { readonly signature: string; readonly transaction: string },
    at: { readonly rpc: JsonRpcClient; readonly signal: AbortSignal },
    broadcast: () => Promise<T>,
  ): Promise<T>
}

/**
 * Creates the store of sent transactions, so that nothing is paid twice. The chain would accept two equal payments, so
 * one with unknown outcome must end before the next:
 *
 * 1. A note is stored across tabs before the broadcast, until the chain has decided.
 * 2. While a transaction with unknown outcome may still be included (a minute or two), every other request that sends
 *    is REQUEST_PENDING.
 * 3. Once it is included, the next request is TRANSACTION_REPLACED, once, in one tab. Not if it failed.
 * 4. A transaction that a node refused may still be included: until then or its end, another one that makes the same
 *    call is REQUEST_PENDING. Other calls do not wait.
 * 5. A transaction that the caller follows blocks nothing; nor does one with a durable nonce, which never expires: the
 *    chain accepts one per nonce.
 */
export function createSentSolana(
  storage: Notes = memoryNotes(),
  clock: Pick<Clock, 'now'> = systemClock(),
): SentSolana {
  const judge = judgeBy(clock)
  const list = listIn<SentNote>(storage, {
    read: (entry) => SentNote.safeParse(entry).data ?? null,
    keyOf: ({ signature }) => signature,
  })
  const update = (change: (notes: readonly SentNote[]) => readonly SentNote[]) =>
    list((all) => withoutOldest(change(all), ({ networkId, account }) => `${networkId}:${account}`))
  const change = (signature: string, how: (note: SentNote) => SentNote) =>
    update((all) => all.map((note) => (note.signature === signature ? how(note) : note)))
  const ended = (signature: string, state: Partial<SentState>) => change(signature, (note) => withState(note, state))
  /** Signatures that this frame itself waits for. */
  const flying = new Set<string>()

  async function forget(signature: string): Promise<boolean> {
    let isFirst = false
    await update((all) => {
      isFirst = all.some((note) => note.signature === signature)
      return all.filter((note) => note.signature !== signature)
    })
    return isFirst
  }

  async function lastBlockOf(note: SentNote, rpc: JsonRpcClient, signal: AbortSignal): Promise<number> {
    const lastBlock = note.lastBlock ?? (await lastBlockFor(rpc, signal))
    if (note.lastBlock === undefined) await change(note.signature, (known) => ({ ...known, lastBlock }))
    return lastBlock
  }

  async function settleOne(note: SentNote, next: string, rpc: JsonRpcClient, signal: AbortSignal): Promise<void> {
    const { signature, state } = note
    if (judge.isInFlight(note)) throw stillPending(signature)
    const lastBlock = await lastBlockOf(note, rpc, signal)
    // In this order, because a transaction that is not found after its last block was never included.
    const isOver = await isPast(rpc, lastBlock, signal)
    const found = await statusOf(rpc, signature, signal)
    if (found?.outcome?.kind === 'confirmed') {
      if (await forget(signature)) throw carriedOut(signature, signature)
    } else if (found?.outcome?.kind === 'failed' || (found === null && isOver)) await forget(signature)
    else if (found !== null || state !== 'refused' || repeatsCall(next, note)) throw stillPending(signature)
  }

  return {
    async requireNoneUncertain({ networkId, account, transaction }, rpc, signal) {
      for (const note of await update((all) => all)) {
        const isOwn = note.networkId === networkId && note.account === account
        if (isOwn && !note.isFollowed && !flying.has(note.signature)) await settleOne(note, transaction, rpc, signal)
      }
    },

    async send(sent, { rpc, signal }, broadcast) {
      const { signature, transaction } = sent
      if (hasDurableNonce(transaction)) return broadcast()
      const note: SentNote = { ...sent, isFollowed: false, state: 'sending', sentAt: clock.now() }
      flying.add(signature)
      try {
        await update((all) => [...all.filter((other) => other.signature !== signature), note])
        const result = await broadcast()
        await ended(signature, { isFollowed: true })
        return result
      } catch (thrown) {
        const { code } = asFailure(thrown)
        if (code === 'TRANSACTION_DROPPED') await forget(signature)
        else if (code === 'ABORTED' || code === 'TRANSACTION_UNCONFIRMED') await ended(signature, {})
        else {
          await ended(signature, { state: 'refused' })
          // Now, so that rule 4 does not wait from the next request on.
          await lastBlockOf(note, rpc, signal).catch(() => undefined)
        }
        throw thrown
      } finally {
        flying.delete(signature)
      }
    },
  }
}

/** Whether another transaction, with another blockhash or fee, makes the call of `note`. The chain takes the same bytes once. */
function repeatsCall(next: string, { transaction }: SentNote): boolean {
  if (transaction === undefined) return false
  const isSameMessage = base64.encode(messageOf(next)) === base64.encode(messageOf(transaction))
  return !isSameMessage && callsOf(next) === callsOf(transaction)
}

function callsOf(transaction: string): string {
  const calls = parseTransaction(transaction).instructions.filter(({ program }) => program !== computeBudget)
  return JSON.stringify(calls.map((call) => ({ ...call, data: base64.encode(call.data) })))
}
