/** What this wallet has sent on Bitcoin, as a list in storage. The rules are those of `createSentBitcoin`. */

import type { Clock } from '@postern/base/clock'
import { listIn, type Notes, type UpdateList } from '../notes'
import { type Judge, judgeBy, withoutOldest } from '../sent-state'
import { isFrom, isOvertaken, type Sender, SentNote } from './sent-note'

export type SentList = {
  readonly judge: Judge
  readonly update: UpdateList<SentNote>
  of(sender: Sender): Promise<readonly SentNote[]>
  updateNote(txid: string, change: (note: SentNote) => SentNote): Promise<unknown>
  /** `isTold`: its caller hears of it now. Returns whether no tab had decided it before. */
  decide(note: SentNote, decidedBy: string, isTold: boolean): Promise<boolean>
  /** Returns whether no tab had forgotten it before. */
  forget(note: SentNote): Promise<boolean>
}

/** Source: Bitcoin Core's DEFAULT_MEMPOOL_EXPIRY_HOURS. */
const mempoolExpiryMs = 336 * 3_600_000

/** Six blocks, after which a payment counts as final: https://developer.bitcoin.org/devguide/payment_processing.html */
const reorganisationMs = 3_600_000

export function createSentList(storage: Notes, clock: Pick<Clock, 'now'>): SentList {
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

  return {
    judge,
    update,
    of: async (sender) => (await update((all) => all)).filter((note) => isFrom(note, sender)),
    updateNote: (txid, change) => update((all) => all.map((note) => (note.txid === txid ? change(note) : note))),
    async decide({ txid }, decidedBy, isTold) {
      let isFirst = false
      await update((all) => {
        const known = all.find((note) => note.txid === txid && note.decidedAt === undefined)
        isFirst = known !== undefined
        return all.map((note) =>
          note === known ? { ...note, isFollowed: note.isFollowed || isTold, decidedAt: clock.now(), decidedBy } : note,
        )
      })
      return isFirst
    },
    async forget({ txid }) {
      let isFirst = false
      await update((all) => {
        isFirst = all.some((note) => note.txid === txid)
        return all.filter((note) => note.txid !== txid)
      })
      return isFirst
    },
  }
}
