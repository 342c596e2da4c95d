/** What this wallet has sent on Bitcoin, on this site and device. */

import { type Clock, systemClock } from '@postern/base/clock'
import { postTransaction, readOutspends, readTransaction } from '@postern/chains/bip122/esplora'
import { orNull } from '@postern/chains/bip122/outcome'
import type { CoinUse, Outpoint } from '@postern/chains/bip122/transfer'
import type { EsploraClient } from '@postern/chains/chain-client'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import { listIn, memoryNotes, type Notes } from '../notes'
import {
  carriedOut,
  isRefused,
  judgeBy,
  replacedMessage,
  type SentState,
  stillPending,
  withoutOldest,
  withState,
} from '../sent-state'
import {
  afterRefusal,
  coinsOf,
  everyVersionOf,
  isSpentIn,
  makesCoinOf,
  type Replacement,
  SentNote,
  unavailable,
  versionsOf,
  withoutRefused,
} from './sent-note'

export type Sender = Pick<SentNote, 'networkId' | 'address'>

type Endpoint = { readonly esplora: EsploraClient; readonly signal: AbortSignal }

/** `deadIds`: ids that can no longer arrive, because a block has another spend of a coin. */
export type BitcoinUse = CoinUse & { readonly deadIds: ReadonlySet<string> }

export type SentBitcoin = {
  /** The coins for the next transfer. @throws {Failure} REQUEST_PENDING, TRANSACTION_REPLACED */
  settle(sender: Sender, esplora: EsploraClient, signal: AbortSignal): Promise<BitcoinUse>
  /**
   * Stores a note, then broadcasts. `use`: what its coins were chosen by; null if the dapp chose them.
   * @throws {Failure} as `broadcast`, TRANSACTION_REPLACED if its coins are in use by now
   */
  send<T>(
    note: Sender & Pick<SentNote, 'txid' | 'coins' | 'hex'>,
    use: BitcoinUse | null,
    broadcast: () => Promise<T>,
  ): Promise<T>
  /** By the first id. */
  find(sender: Sender, txid: string): Promise<SentNote | null>
  /** Oldest first. */
  replaceable(sender: Sender): Promise<readonly SentNote[]>
  /** Whether a later transaction spends its payment to the sender. */
  isSpent(note: SentNote): Promise<boolean>
  /** Also of transactions with unknown outcome. */
  coins(sender: Sender): Promise<ReadonlySet<Outpoint>>
  /** 7 */
  reopen(sender: Sender, esplora: EsploraClient, signal: AbortSignal): Promise<void>
  /** A block has the version `txid`. A caller with an unknown outcome hears of it later. */
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

/** Source: Bitcoin Core's DEFAULT_MEMPOOL_EXPIRY_HOURS. */
const mempoolExpiryMs = 336 * 3_600_000

/** Six blocks, after which a payment counts as final: https://developer.bitcoin.org/devguide/payment_processing.html */
const reorganisationMs = 3_600_000

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
 *    TRANSACTION_REPLACED, once, in one tab. Once a rival for its coin is confirmed, of any site or device, or a rival
 *    of the transaction that made its coin, nothing need share a coin.
 * 4. Coins that another transaction spends, by a node's refusal, are in use until lagging nodes know that.
 * 5. A replacement is part of the note, with all its coins: the confirmed version decides. A refused replacement leaves
 *    the note as before, but still decides in a block. One with unknown outcome stays.
 * 6. Nothing spends an output of a replaced transaction or its replacement until one is confirmed. Nothing is replaced
 *    whose output a later transaction spends: a node would evict that one.
 * 7. A transaction in a block is checked again for {@link reorganisationMs}. After a reorganisation it waits again. Its
 *    caller hears of it once.
 */
export function createSentBitcoin(
  storage: Notes = memoryNotes(),
  clock: Pick<Clock, 'now'> = systemClock(),
): SentBitcoin {
  const judge = judgeBy(clock, reorganisationMs)
  const list = listIn<SentNote>(storage, {
    read: (entry) => SentNote.safeParse(entry).data ?? null,
    keyOf: ({ txid }) => txid,
  })
  const isKept = (note: SentNote) =>
    !judge.isOver(note) &&
    (note.state !== 'outbid' || judge.isRecent(note)) &&
    (!note.isFollowed || judge.isYoung(note.replacements?.at(-1)?.sentAt ?? note.sentAt, mempoolExpiryMs))
  const update = (change: (notes: readonly SentNote[]) => readonly SentNote[]) =>
    list((all) => {
      const next = change(all)
      const over = next.filter(judge.isOver)
      const kept = next.filter((note) => isKept(note) && !isOvertaken(note, over))
      return withoutOldest(kept, ({ networkId, address }) => `${networkId}:${address}`)
    })
  const notesOf = async (sender: Sender) => (await update((all) => all)).filter((note) => isFrom(note, sender))
  const updateNote = (txid: string, change: (note: SentNote) => SentNote) =>
    update((all) => all.map((note) => (note.txid === txid ? change(note) : note)))
  const ended = (txid: string, state: Partial<SentState>) => updateNote(txid, (note) => withState(note, state))

  function isReplaceable(note: SentNote, all: readonly SentNote[], coins = coinsOf(note)): boolean {
    if (note.decidedAt !== undefined || isRefused(note) || judge.isInFlight(note)) return false
    const isRival = (other: SentNote) => other.isFollowed || other.decidedAt !== undefined || judge.isInFlight(other)
    return !all.some(
      (other) => other !== note && isRival(other) && unavailable(other).some((coin) => coins.includes(coin)),
    )
  }

  /** `isTold`: its caller hears of it now. Returns whether no tab had decided it before. */
  async function decide({ txid }: SentNote, decidedBy: string, isTold: boolean): Promise<boolean> {
    let isFirst = false
    await update((all) => {
      const known = all.find((note) => note.txid === txid && note.decidedAt === undefined)
      isFirst = known !== undefined
      return all.map((note) =>
        note === known ? { ...note, isFollowed: note.isFollowed || isTold, decidedAt: clock.now(), decidedBy } : note,
      )
    })
    return isFirst
  }

  /** 7 */
  async function reopen(sender: Sender, esplora: EsploraClient, signal: AbortSignal): Promise<void> {
    for (const note of await notesOf(sender)) {
      if (note.decidedAt === undefined) continue
      const versions = await Promise.all(
        versionsOf(note).map(({ txid }) => orNull(readTransaction(esplora, txid, signal))),
      )
      if (versions.some((found) => found?.status.confirmed)) continue
      await updateNote(note.txid, ({ decidedAt: _, decidedBy: __, ...waiting }) => waiting)
    }
  }

  /** 3. Returns whether it can no longer arrive. */
  async function settleOne(note: SentNote, notes: readonly SentNote[], endpoint: Endpoint): Promise<boolean> {
    const { esplora, signal } = endpoint
    if (judge.isInFlight(note)) throw stillPending(note.txid)
    let waits = false
    for (const { txid, kind } of everyVersionOf(note)) {
      const found = await orNull(readTransaction(esplora, txid, signal))
      if (found?.status.confirmed === true) {
        const isNews = !note.isFollowed && kind !== 'cancel'
        if ((await decide(note, txid, isNews)) && isNews) throw carriedOut(note.txid, txid)
        return false
      }
      waits ||= found !== null
    }
    if (waits && !note.isFollowed) throw stillPending(note.txid)
    if (!note.isFollowed) return isDead(note, notes, endpoint)
    // 2. A node that refuses it now may accept it later.
    const [newest] = versionsOf(note)
    if (!waits) await postTransaction(esplora, newest.hex, signal).catch(() => undefined)
    return false
  }

  return {
    async settle(sender, esplora, signal) {
      await reopen(sender, esplora, signal)
      const deadIds = new Set<string>()
      const before = await notesOf(sender)
      for (const note of before)
        if (note.decidedAt === undefined && (await settleOne(note, before, { esplora, signal }))) deadIds.add(note.txid)
      const notes = await notesOf(sender)
      return {
        inUse: new Set(notes.filter(judge.isTaken).flatMap(unavailable)),
        shared: notes
          .filter((note) => !judge.isTaken(note) && !isOvertaken(note, notes) && !deadIds.has(note.txid))
          .map(({ coins }) => coins),
        deadIds,
      }
    },

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

    find: async (sender, txid) => (await notesOf(sender)).find((note) => note.txid === txid) ?? null,
    async replaceable(sender) {
      const notes = await notesOf(sender)
      return notes.filter((note) => isReplaceable(note, notes))
    },
    isSpent: async (note) => isSpentIn(note, await notesOf(note)),
    coins: async (sender) => new Set((await notesOf(sender)).flatMap(coinsOf)),
    reopen,
    async confirmed(note, txid) {
      if (note.isFollowed) await decide(note, txid, false)
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
        // During the broadcast, no other request uses its coins. Those of a followed note are in use anyway.
        const next = note.isFollowed ? replaced : { ...replaced, state: 'sending' as const, sentAt }
        return all.map((one) => (one === note ? next : one))
      })
      try {
        const result = await broadcast()
        // 3: the caller may still have no id.
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

/** 3: every version of a decided note spends all coins of the first, and only one of them makes coins. */
function isOvertaken(note: SentNote, all: readonly SentNote[]): boolean {
  if (note.isFollowed || note.decidedAt !== undefined) return false
  return all.some(
    (other) =>
      other.decidedAt !== undefined &&
      isFrom(other, note) &&
      (other.coins.some((coin) => note.coins.includes(coin)) ||
        (other.decidedBy !== undefined && makesCoinOf(other, note, other.decidedBy))),
  )
}

/** 3: no block can have it, because one has a rival of it or of what made its coins. */
async function isDead(note: SentNote, all: readonly SentNote[], endpoint: Endpoint): Promise<boolean> {
  if (await isSpentInBlock(note, endpoint.esplora, endpoint.signal)) return true
  for (const other of all)
    if (other !== note && makesCoinOf(other, note) && (await isDead(other, all, endpoint))) return true
  return false
}

export async function isSpentInBlock(note: SentNote, esplora: EsploraClient, signal: AbortSignal): Promise<boolean> {
  const versions = everyVersionOf(note).map(({ txid }) => txid)
  for (const made of new Set(note.coins.map((coin) => coin.slice(0, 64)))) {
    const outputs = (await orNull(readOutspends(esplora, made, signal))) ?? []
    const isTaken = ({ txid = '', status }: (typeof outputs)[number], index: number) =>
      status?.confirmed === true && !versions.includes(txid) && note.coins.includes(`${made}:${index}`)
    if (outputs.some(isTaken)) return true
  }
  return false
}

function isUnknownEnd({ code }: Failure): boolean {
  return code === 'ABORTED' || code === 'TRANSACTION_UNCONFIRMED'
}

function isFrom(note: SentNote, { networkId, address }: Sender): boolean {
  return note.networkId === networkId && note.address === address
}
