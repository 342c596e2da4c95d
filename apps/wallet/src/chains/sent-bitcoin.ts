/** What this wallet has sent on Bitcoin, on this site and device. */

import { postTransaction, RawTransaction, readTransaction, TransactionId } from '@postern/chains/bip122/esplora'
import { orNull } from '@postern/chains/bip122/outcome'
import type { CoinUse, Outpoint } from '@postern/chains/bip122/transfer'
import type { EsploraClient } from '@postern/chains/chain-client'
import { type Clock, systemClock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import { listIn, memoryNotes, type Notes } from './notes'
import {
  cameFirst,
  carriedOut,
  judgeBy,
  type SentState,
  sentState,
  stillPending,
  withoutOldest,
  withState,
} from './sent-state'

const SentNote = z.object({
  networkId: z.string(),
  address: z.string(),
  txid: TransactionId,
  /** The coins that it spends. */
  coins: z.array(z.custom<Outpoint>((value) => typeof value === 'string' && /^[0-9a-f]{64}:\d{1,10}$/.test(value))),
  /** Signed, to send it again if nodes have lost it. */
  hex: RawTransaction,
  ...sentState,
})
type SentNote = z.infer<typeof SentNote>

type Sender = Pick<SentNote, 'networkId' | 'address'>

export type SentBitcoin = {
  /** What is left for the next transfer. @throws {Failure} REQUEST_PENDING, TRANSACTION_REPLACED */
  settle(sender: Sender, esplora: EsploraClient, signal: AbortSignal): Promise<CoinUse>
  /**
   * Notes the transaction, then broadcasts it. `use`: what its coins were chosen by; null if the dapp chose them.
   * @throws {Failure} as `broadcast`, TRANSACTION_REPLACED if its coins are in use by now
   */
  send<T>(
    note: Sender & Pick<SentNote, 'txid' | 'coins' | 'hex'>,
    use: CoinUse | null,
    broadcast: () => Promise<T>,
  ): Promise<T>
}

/** Nodes forget a transaction that no block includes. Source: Bitcoin Core's DEFAULT_MEMPOOL_EXPIRY_HOURS. */
const mempoolExpiryMs = 336 * 3_600_000

/** What nodes say if another transaction spends a coin. Source: Bitcoin Core's validation.cpp. */
const conflict = /missingorspent|missing-or-spent|mempool-conflict|rejecting replacement/i

/**
 * Creates the store of sent transactions: a coin is used once, and nothing is paid twice.
 *
 * 1. A note is stored before the broadcast, in one step across tabs, and stays until the chain has decided.
 * 2. A coin of a transaction whose caller has the id is in use, also if the endpoint still lists it as unspent. If the
 *    endpoint does not know the transaction, it is sent again.
 * 3. A transaction with an unknown outcome that the endpoint does not know shares a coin with the next transfer: the
 *    chain accepts one of the two. While it waits, every transfer is REQUEST_PENDING. Once it is confirmed, the next
 *    transfer is TRANSACTION_REPLACED, once, in one tab.
 * 4. If a node refused a transaction because another one spends its coins, they are in use.
 */
export function createSentBitcoin(
  storage: Notes = memoryNotes(),
  clock: Pick<Clock, 'now'> = systemClock(),
): SentBitcoin {
  const judge = judgeBy(clock)
  const list = listIn<SentNote>(storage, {
    read: (entry) => SentNote.safeParse(entry).data ?? null,
    keyOf: ({ txid }) => txid,
  })
  const isKept = (note: SentNote) =>
    !judge.isOver(note) && (!note.isFollowed || judge.isYoung(note.sentAt, mempoolExpiryMs))
  const update = (change: (notes: readonly SentNote[]) => readonly SentNote[]) =>
    list((all) => withoutOldest(change(all).filter(isKept), ({ networkId, address }) => `${networkId}:${address}`))
  const notesOf = async (sender: Sender) => (await update((all) => all)).filter((note) => isFrom(note, sender))
  const ended = (txid: string, state: Partial<SentState>) =>
    update((all) => all.map((note) => (note.txid === txid ? withState(note, state) : note)))

  /** Whether no tab had decided it before. */
  async function decide({ txid }: SentNote): Promise<boolean> {
    let isFirst = false
    await update((all) => {
      const known = all.find((note) => note.txid === txid && note.decidedAt === undefined)
      isFirst = known !== undefined
      return all.map((note) => (note === known ? { ...note, decidedAt: clock.now() } : note))
    })
    return isFirst
  }

  async function settleOne(note: SentNote, esplora: EsploraClient, signal: AbortSignal): Promise<void> {
    if (judge.isInFlight(note)) throw stillPending(note.txid)
    const found = await orNull(readTransaction(esplora, note.txid, signal))
    if (found?.status.confirmed === true) {
      if ((await decide(note)) && !note.isFollowed) throw carriedOut(note.txid, note.txid)
      return
    }
    if (found !== null && !note.isFollowed) throw stillPending(note.txid)
    // 2. A node that refuses it now may take it later.
    if (found === null && note.isFollowed) await postTransaction(esplora, note.hex, signal).catch(() => undefined)
  }

  return {
    async settle(sender, esplora, signal) {
      for (const note of await notesOf(sender)) if (note.decidedAt === undefined) await settleOne(note, esplora, signal)
      const notes = await notesOf(sender)
      return {
        inUse: new Set(notes.filter(judge.isTaken).flatMap(({ coins }) => coins)),
        shared: notes.filter((note) => !judge.isTaken(note)).map(({ coins }) => coins),
      }
    },

    async send(note, use, broadcast) {
      const begun: SentNote = { ...note, isFollowed: false, state: 'sending', sentAt: clock.now() }
      await update((all) => {
        const others = all.filter(({ txid }) => txid !== note.txid)
        if (use !== null && others.some((other) => isFrom(other, note) && !isAllowed(note.coins, other, use)))
          throw new Failure('TRANSACTION_REPLACED', { message: cameFirst })
        return [...others, begun]
      })
      try {
        const result = await broadcast()
        await ended(note.txid, { isFollowed: true })
        return result
      } catch (thrown) {
        const { code, message } = asFailure(thrown)
        const isUnknown = code === 'ABORTED' || code === 'TRANSACTION_UNCONFIRMED'
        const isOutbid = !isUnknown && conflict.test(message)
        await ended(note.txid, isUnknown ? {} : { state: isOutbid ? 'outbid' : 'refused' })
        if (isOutbid) throw new Failure('TRANSACTION_REPLACED', { message: cameFirst, cause: thrown })
        throw thrown
      }
    },
  }

  /** `other` does not use its coins, or was known to share one with it. */
  function isAllowed(coins: readonly Outpoint[], other: SentNote, { shared }: CoinUse): boolean {
    const isSharing = other.coins.some((coin) => coins.includes(coin))
    if (judge.isTaken(other)) return !isSharing
    return isSharing && shared.some((known) => known.join() === other.coins.join())
  }
}

function isFrom(note: SentNote, { networkId, address }: Sender): boolean {
  return note.networkId === networkId && note.address === address
}
