import type { Clock } from '@postern/base/clock'
import type { ApprovalRequest } from '@postern/protocol'
import * as z from 'zod/mini'
import type { Ladder } from '../../storage/ladder'

export type FrameSpending = {
  spentCents(by: Pick<ApprovalRequest, 'origin'>): Promise<number | null>
  /** False, without a change, if the last 24 hours would exceed `maxCents`. */
  spend(by: Pick<ApprovalRequest, 'origin'>, cents: number, maxCents: number): Promise<boolean>
}

/** By hour since the epoch. */
const Hours = z.record(z.string().check(z.regex(/^\d{1,9}$/)), z.int().check(z.gte(0)))

const hourMs = 3_600_000
const hoursOfADay = 24

/**
 * The user's approvals in the frame for one origin, so that a deceiving page takes at most a day's limit.
 *
 * 1. The check and the count are one storage transaction: two requests or tabs cannot both pass.
 * 2. An hour counts until all of it is a day old, and while it lies in the future (the clock was set back).
 * 3. With storage that a reload empties, or that is unreadable, no amount passes.
 */
export function createFrameSpending({
  ladder,
  clock,
  userId,
}: {
  readonly ladder: Pick<Ladder, 'current'>
  readonly clock: Pick<Clock, 'now'>
  readonly userId: () => Promise<string | null>
}): FrameSpending {
  async function update<T>(origin: string, decide: (spent: number) => { readonly add: number; readonly result: T }) {
    const [{ storage, store }, user] = await Promise.all([ladder.current(), userId()])
    if (user === null || (storage !== 'frame' && storage !== 'granted')) return null
    const hour = Math.floor(clock.now() / hourMs)
    let result: T | null = null
    await store.notes(`frame-spending/${user}/${origin}`, (kept) => {
      const counted = kept === undefined ? {} : Hours.parse(kept)
      const recent = Object.entries(counted).filter(([at]) => Number(at) >= hour - hoursOfADay)
      const spent = recent.reduce((sum, [, cents]) => sum + cents, 0)
      const decided = decide(spent)
      result = decided.result
      if (decided.add === 0) return kept
      const hours = Object.fromEntries(recent)
      return { ...hours, [hour]: (hours[hour] ?? 0) + decided.add }
    })
    return result
  }

  return {
    async spentCents({ origin }) {
      return update(origin, (spent) => ({ add: 0, result: spent })).catch(() => null)
    },
    async spend({ origin }, cents, maxCents) {
      const decided = await update(origin, (spent) => {
        const isWithin = spent + cents <= maxCents
        return { add: isWithin ? cents : 0, result: isWithin }
      }).catch(() => null)
      return decided === true
    },
  }
}
