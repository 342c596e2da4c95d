/** A stored Bitcoin transaction of this wallet, with the versions that replace it. */
import { RawTransaction, TransactionId } from '@postern/chains/bip122/esplora'
import type { Outpoint } from '@postern/chains/bip122/transfer'
import { ReplacementKind } from '@postern/protocol'
import { Transaction } from 'bitcoinjs-lib'
import * as z from 'zod/mini'
import { isRefused, sentState, withState } from '../sent-state'

const signedTransaction = {
  txid: TransactionId,
  coins: z.array(z.custom<Outpoint>((value) => typeof value === 'string' && /^[0-9a-f]{64}:\d{1,10}$/.test(value))),
  hex: RawTransaction,
}
const Replacement = z.object({
  ...signedTransaction,
  kind: ReplacementKind,
  /** Epoch ms. */
  sentAt: z.int(),
})
export type Replacement = z.infer<typeof Replacement>

export const SentNote = z.object({
  networkId: z.string(),
  address: z.string(),
  ...signedTransaction,
  /** The user's speed-ups and cancellation, newest last. */
  replacements: z.optional(z.array(Replacement)),
  /** They have left the wallet, so a block may have one. */
  refused: z.optional(z.array(Replacement)),
  /** The version that a block has. */
  decidedBy: z.optional(TransactionId),
  ...sentState,
})
export type SentNote = z.infer<typeof SentNote>

export type Sender = Pick<SentNote, 'networkId' | 'address'>

type Version = Pick<Replacement, 'txid' | 'coins' | 'hex'> & { readonly kind?: ReplacementKind }

/** Newest first. */
export function versionsOf({ txid, coins, hex, replacements = [] }: SentNote): readonly [Version, ...Version[]] {
  const first = { txid, coins, hex }
  const [newest, ...others] = replacements.toReversed()
  return newest === undefined ? [first] : [newest, ...others, first]
}

/** All transactions that may decide the note, newest first. */
export function everyVersionOf(note: SentNote): readonly Version[] {
  return [...(note.refused ?? []).toReversed(), ...versionsOf(note)]
}

export function withoutRefused({ refused: _, ...note }: SentNote): Omit<SentNote, 'refused'> {
  return note
}

export function coinsOf(note: SentNote): readonly Outpoint[] {
  return versionsOf(note).flatMap(({ coins }) => coins)
}

/** Coins that nothing else may spend while the note waits, including those that a replaced version makes. */
export function unavailable(note: SentNote): readonly Outpoint[] {
  if (note.replacements === undefined || note.decidedAt !== undefined) return coinsOf(note)
  return [...coinsOf(note), ...versionsOf(note).flatMap(outputsOf)]
}

function outputsOf({ txid, hex }: Version): readonly Outpoint[] {
  try {
    return Transaction.fromHex(hex).outs.map((_, index): Outpoint => `${txid}:${index}`)
  } catch {
    return []
  }
}

/** Whether a version of `other`, except `but`, makes a coin that `note` spends. */
export function makesCoinOf(other: SentNote, note: SentNote, but?: string): boolean {
  return everyVersionOf(other).some(({ txid }) => txid !== but && note.coins.some((coin) => coin.startsWith(txid)))
}

/** Whether a later transaction spends what a version makes. */
export function isSpentIn(note: SentNote, all: readonly SentNote[]): boolean {
  const made = everyVersionOf(note).map(({ txid }) => txid)
  return all.some(
    (other) => !isRefused(other) && coinsOf(other).some((coin) => made.some((txid) => coin.startsWith(txid))),
  )
}

/** The note after its replacement `txid` was refused: as before, but a block may have it. */
export function afterRefusal(note: SentNote, txid: string): SentNote {
  const { replacements = [], refused = [], ...before } = withState(note, {})
  const left = replacements.filter((one) => one.txid !== txid)
  const all = [...refused, ...replacements.filter((one) => one.txid === txid)]
  return { ...before, ...(left.length > 0 && { replacements: left }), refused: all }
}

/** Every version of a decided note spends all coins of the first, and only one of them makes coins. */
export function isOvertaken(note: SentNote, all: readonly SentNote[]): boolean {
  if (note.isFollowed || note.decidedAt !== undefined) return false
  return all.some(
    (other) =>
      other.decidedAt !== undefined &&
      isFrom(other, note) &&
      (other.coins.some((coin) => note.coins.includes(coin)) ||
        (other.decidedBy !== undefined && makesCoinOf(other, note, other.decidedBy))),
  )
}

export function isFrom(note: SentNote, { networkId, address }: Sender): boolean {
  return note.networkId === networkId && note.address === address
}
