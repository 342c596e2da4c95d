/** Transactions that this wallet has sent on Bitcoin, on this site and device. */

import { type Clock, systemClock } from '@postern/base/clock'
import type { CoinUse, Outpoint } from '@postern/chains/bip122/transfer'
import type { EsploraClient } from '@postern/chains/chain-client'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import { memoryNotes, type Notes } from '../notes'
import { isRefused, replacedMessage, type SentState, withState } from '../sent-state'
import { createSentList } from './sent-list'
import {
  afterRefusal,
  coinsOf,
  isFrom,
  isOvertaken,
  isSpentIn,
  type Replacement,
  type Sender,
  type SentNote,
  unavailable,
  versionsOf,
  withoutRefused,
} from './sent-note'
import { type BitcoinUse, reopen, settle } from './settle'

export type SentBitcoin = {
  /** The coins for the next transfer. @throws {Failure} REQUEST_PENDING, TRANSACTION_REPLACED */
  coinsForTransfer(sender: Sender, esplora: EsploraClient, signal: AbortSignal): Promise<BitcoinUse>
  /**
   * Stores a note, then broadcasts. `use`: what its coins were chosen by; null if the dapp chose them.
   * @throws {Failure} as `broadcast`, TRANSACTION_REPLACED if its coins have been used meanwhile
   */
  send<T>(
    note: Sender & Pick<SentNote, 'txid' | 'coins' | 'hex'>,
    use: BitcoinUse | null,
    broadcast: () => Promise<T>,
  ): Promise<T>
  /** By the id of its first version. */
  find(sender: Sender, txid: string): Promise<SentNote | null>
  /** Oldest first. */
  replaceable(sender: Sender): Promise<readonly SentNote[]>
  /** Whether a later transaction spends its payment to the sender. */
  isSpent(note: SentNote): Promise<boolean>
  /** Including those of transactions with unknown outcome. */
  coins(sender: Sender): Promise<ReadonlySet<Outpoint>>
  /** Rule 7. */
  reopen(sender: Sender, esplora: EsploraClient, signal: AbortSignal): Promise<void>
  /** A block has the version `txid`. A caller that does not know the outcome learns it later. */
  confirmed(note: SentNote, txid: string): Promise<void>
  /**
   * Stores a replacement in the note `txid`, then broadcasts. `newest`: the id that it replaces.
   * @throws {Failure} as `broadcast`, TRANSACTION_REPLACED if the note is not replaceable, another tab has replaced it,
   *   or its coins are in use
   */
  replace<T>(
    sender: Sender,
    txid: string,
    at: { readonly newest: string; readonly replacement: Omit<Replacement, 'sentAt'> },
    broadcast: () => Promise<T>,
  ): Promise<T>
}

/** A node's refusal because another transaction spends a coin. Source: Bitcoin Core's validation.cpp. */
const conflict = /missingorspent|missing-or-spent|mempool-conflict|rejecting replacement/i

/**
 * Creates the store of sent transactions: a coin is used once, and nothing is paid twice.
 *
 * 1. One step across tabs stores a note before the broadcast, until the chain has decided.
 * 2. A coin of a transaction whose caller has the id is in use, whatever the endpoint lists. A lost transaction is sent
 *    again.
 * 3. A transaction with unknown outcome, unknown to the endpoint, shares a coin with the next transfer: the chain
 *    accepts one of the two. While it waits, every transfer is REQUEST_PENDING. Once confirmed, the next transfer is
 *    TRANSACTION_REPLACED, once, in one tab. It need not share a coin once a block has a rival for its coin, of any
 *    site or device, or a rival of the transaction that made its coin.
 * 4. Coins that another transaction spends, by a node's refusal, are in use until lagging nodes know that.
 * 5. A replacement is part of the note, with all its coins: the confirmed version decides. A refused replacement leaves
 *    the note as before, but still decides in a block. A replacement with unknown outcome stays.
 * 6. Nothing spends an output of a replaced transaction or its replacement until one is confirmed. Nothing is replaced
 *    whose output a later transaction spends: a node would evict that one.
 * 7. A transaction in a block is checked again for an hour (`reorganisationMs`). After a reorganisation it waits again.
 *    Its caller hears of it once.
 * 8. A transaction without its caller's knowledge whose coins no node has any more, as after a speed-up on another site,
 *    may wait for ever. After ten minutes, the next transfer is TRANSACTION_REPLACED, once, in one tab. Then its note is
 *    dropped.
 */
export function createSentBitcoin(
  storage: Notes = memoryNotes(),
  clock: Pick<Clock, 'now'> = systemClock(),
): SentBitcoin {
  const list = createSentList(storage, clock)
  const { judge, update, updateNote } = list
  const ended = (txid: string, state: Partial<SentState>) => updateNote(txid, (note) => withState(note, state))

  function isReplaceable(note: SentNote, all: readonly SentNote[], coins = coinsOf(note)): boolean {
    if (note.decidedAt !== undefined || isRefused(note) || judge.isInFlight(note)) return false
    const isRival = (other: SentNote) => other.isFollowed || other.decidedAt !== undefined || judge.isInFlight(other)
    return !all.some(
      (other) => other !== note && isRival(other) && unavailable(other).some((coin) => coins.includes(coin)),
    )
  }

  return {
    coinsForTransfer: (sender, esplora, signal) => settle(list, sender, { esplora, signal }),

    async send(note, use, broadcast) {
      const begun: SentNote = { ...note, isFollowed: false, state: 'sending', sentAt: clock.now() }
      await update((all) => {
        const others = all.filter(({ txid }) => txid !== note.txid)
        const isAgainst = (other: SentNote) =>
          use !== null &&
          isFrom(other, note) &&
          !isOvertaken(other, others) &&
          !use.deadIds.has(other.txid) &&
          !isAllowed(note.coins, other, use)
        if (others.some(isAgainst)) throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage })
        return [...others, begun]
      })
      try {
        const result = await broadcast()
        await ended(note.txid, { isFollowed: true })
        return result
      } catch (thrown) {
        const failure = asFailure(thrown)
        const isUnknown = isUnknownEnd(failure)
        const isOutbid = !isUnknown && conflict.test(failure.message)
        await ended(note.txid, isUnknown ? {} : { state: isOutbid ? 'outbid' : 'refused' })
        if (isOutbid) throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage, cause: thrown })
        throw thrown
      }
    },

    find: async (sender, txid) => (await list.of(sender)).find((note) => note.txid === txid) ?? null,
    async replaceable(sender) {
      const notes = await list.of(sender)
      return notes.filter((note) => isReplaceable(note, notes))
    },
    isSpent: async (note) => isSpentIn(note, await list.of(note)),
    coins: async (sender) => new Set((await list.of(sender)).flatMap(coinsOf)),
    reopen: (sender, esplora, signal) => reopen(list, sender, { esplora, signal }),
    async confirmed(note, txid) {
      if (note.isFollowed) await list.decide(note, txid, false)
    },

    async replace(sender, txid, { newest, replacement }, broadcast) {
      await update((all) => {
        const notes = all.filter((note) => isFrom(note, sender))
        const note = notes.find((one) => one.txid === txid)
        if (
          note === undefined ||
          versionsOf(note)[0].txid !== newest ||
          isSpentIn(note, notes) ||
          !isReplaceable(note, notes, replacement.coins)
        )
          throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage })
        const sentAt = clock.now()
        const replacements = [...(note.replacements ?? []), { ...replacement, sentAt }]
        const refused = (note.refused ?? []).filter((one) => one.txid !== replacement.txid)
        const replaced = { ...withoutRefused(note), replacements, ...(refused.length > 0 && { refused }) }
        // During the broadcast, no other request may use its coins. Those of a followed note are in use anyway.
        const next = note.isFollowed ? replaced : { ...replaced, state: 'sending' as const, sentAt }
        return all.map((one) => (one === note ? next : one))
      })
      try {
        const result = await broadcast()
        // Rule 3: the caller may still have no id.
        await ended(txid, {})
        return result
      } catch (thrown) {
        const isUnknown = isUnknownEnd(asFailure(thrown))
        await updateNote(txid, (note) => (isUnknown ? withState(note, {}) : afterRefusal(note, replacement.txid)))
        throw thrown
      }
    },
  }

  /** Whether `other` does not use the coins, or was known to share one. */
  function isAllowed(coins: readonly Outpoint[], other: SentNote, { shared }: CoinUse): boolean {
    const isUsed = (coin: Outpoint) => coins.includes(coin)
    if (judge.isTaken(other)) return !unavailable(other).some(isUsed)
    const isKnown = shared.some((known) => known.join() === other.coins.join())
    return isKnown && other.coins.some(isUsed) && !judge.isInFlight(other)
  }
}

function isUnknownEnd({ code }: Failure): boolean {
  return code === 'ABORTED' || code === 'TRANSACTION_UNCONFIRMED'
}
