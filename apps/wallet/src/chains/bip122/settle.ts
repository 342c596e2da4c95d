/** What the chain has decided of the sent transactions. The rules are those of `createSentBitcoin`. */

import { postTransaction, readOutspends, readTransaction } from '@postern/chains/bip122/esplora'
import { orNull } from '@postern/chains/bip122/outcome'
import type { CoinUse } from '@postern/chains/bip122/transfer'
import type { EsploraClient } from '@postern/chains/chain-client'
import { carriedOut, stillPending } from '../sent-state'
import type { SentList } from './sent-list'
import {
  everyVersionOf,
  isOvertaken,
  makesCoinOf,
  type Sender,
  type SentNote,
  unavailable,
  versionsOf,
} from './sent-note'

type Endpoint = { readonly esplora: EsploraClient; readonly signal: AbortSignal }

/** `deadIds`: ids that can no longer arrive, because a block has another spend of a coin. */
export type BitcoinUse = CoinUse & { readonly deadIds: ReadonlySet<string> }

export async function settle(list: SentList, sender: Sender, endpoint: Endpoint): Promise<BitcoinUse> {
  const { judge } = list
  await reopen(list, sender, endpoint)
  const deadIds = new Set<string>()
  const before = await list.of(sender)
  for (const note of before)
    if (note.decidedAt === undefined && (await settleOne(list, note, before, endpoint))) deadIds.add(note.txid)
  const notes = await list.of(sender)
  return {
    inUse: new Set(notes.filter(judge.isTaken).flatMap(unavailable)),
    shared: notes
      .filter((note) => !judge.isTaken(note) && !isOvertaken(note, notes) && !deadIds.has(note.txid))
      .map(({ coins }) => coins),
    deadIds,
  }
}

/** 7 */
export async function reopen(list: SentList, sender: Sender, { esplora, signal }: Endpoint): Promise<void> {
  for (const note of await list.of(sender)) {
    if (note.decidedAt === undefined) continue
    const versions = await Promise.all(
      versionsOf(note).map(({ txid }) => orNull(readTransaction(esplora, txid, signal))),
    )
    if (versions.some((found) => found?.status.confirmed)) continue
    await list.updateNote(note.txid, ({ decidedAt: _, decidedBy: __, ...waiting }) => waiting)
  }
}

/** 3. Returns whether it can no longer arrive. */
async function settleOne(
  list: SentList,
  note: SentNote,
  notes: readonly SentNote[],
  endpoint: Endpoint,
): Promise<boolean> {
  const { esplora, signal } = endpoint
  if (list.judge.isInFlight(note)) throw stillPending(note.txid)
  let waits = false
  for (const { txid, kind } of everyVersionOf(note)) {
    const found = await orNull(readTransaction(esplora, txid, signal))
    if (found?.status.confirmed === true) {
      const isNews = !note.isFollowed && kind !== 'cancel'
      if ((await list.decide(note, txid, isNews)) && isNews) throw carriedOut(note.txid, txid)
      return false
    }
    waits ||= found !== null
  }
  if (waits && !note.isFollowed) throw stillPending(note.txid)
  if (!note.isFollowed) {
    if (await isDead(note, notes, endpoint)) return true
    // 8
    if (list.judge.isRecent(note) || !(await hasLostCoins(note, endpoint))) return false
    if (await list.forget(note)) throw carriedOut(note.txid)
    return true
  }
  // 2. A node that refuses it now may accept it later.
  const [newest] = versionsOf(note)
  if (!waits) await postTransaction(esplora, newest.hex, signal).catch(() => undefined)
  return false
}

/** 3: no block can have it, because one has a rival of it or of what made its coins. */
async function isDead(note: SentNote, all: readonly SentNote[], endpoint: Endpoint): Promise<boolean> {
  if (await isSpentInBlock(note, endpoint.esplora, endpoint.signal)) return true
  for (const other of all)
    if (other !== note && makesCoinOf(other, note) && (await isDead(other, all, endpoint))) return true
  return false
}

/** Whether the endpoint knows no transaction that made its coins: with one left, the next transfer can share it. */
async function hasLostCoins(note: SentNote, { esplora, signal }: Endpoint): Promise<boolean> {
  for (const made of new Set(note.coins.map((coin) => coin.slice(0, 64))))
    if ((await orNull(readTransaction(esplora, made, signal))) !== null) return false
  return true
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
