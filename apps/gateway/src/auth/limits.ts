/**
 * Rates that hold across replicas: who may ask for how many mails, and try how many codes.
 *
 * 1. A rate lets `burst` tries through at once and gives one back every `every` ms: in any time `t` at most `burst + t / every` (GCRA, the sliding window of one number).
 * 2. Taking is one statement on one row, so however many come at once, no more get through than the rate says.
 * 3. Several rates are taken together or not at all: a try that one of them refuses costs the others nothing, so whoever hammers one address
 *    spends neither the network's share nor the project's.
 * 4. Keys are hashed under a key: the table names no address, network or device.
 * 5. Who was refused is refused again from memory while the refusal lasts: a flood does not reach the database.
 */
import { eq, lt, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { rateLimits } from '../db/schema'
import { createRefusals } from './refusals'

export type Orm = PgDatabase<PgQueryResultHKT>

export type Rate = {
  readonly name: string
  readonly burst: number
  /** Milliseconds. */
  readonly every: number
}

/** A rate, and whom it counts. */
export type Taking = { readonly rate: Rate; readonly who: string }

export type Taken =
  | { readonly ok: true }
  /** `retryAfter`: seconds, at least one. */
  | { readonly ok: false; readonly rate: Rate; readonly retryAfter: number }

export type Limits = {
  /**
   * @param takings in this order: name the narrow ones first.
   * @param within a transaction of the caller's to do it in.
   */
  take(takings: readonly Taking[], within?: Orm): Promise<Taken>
  /** What is known to be refused without asking the database; null where that has to be asked. */
  refused(takings: readonly Taking[]): Extract<Taken, { ok: false }> | null
  /** Forgets what was taken, where it was taken in vain. */
  giveBack(taking: Taking): Promise<void>
  /** Deletes the rows that have all their tries back. */
  sweep(): Promise<void>
}

class Refused extends Error {
  constructor(readonly taken: Taken) {
    super('refused')
  }
}

export function createLimits(options: {
  readonly orm: Orm
  readonly hash: (text: string) => string
  /** Epoch milliseconds. */
  readonly now: () => number
}): Limits {
  const { orm, hash, now } = options
  const keyOf = ({ rate, who }: Taking) => hash(`rate ${rate.name} ${who}`)
  const refusals = createRefusals({ now })

  const refused: Limits['refused'] = (takings) => {
    for (const taking of takings) {
      const retryAfter = refusals.of(keyOf(taking))
      if (retryAfter !== null) return { ok: false, rate: taking.rate, retryAfter }
    }
    return null
  }

  return {
    refused,
    async take(takings, within = orm) {
      const known = refused(takings)
      if (known !== null) return known
      const [only, ...others] = takings
      if (only !== undefined && others.length === 0) return takeOne(within, only)
      try {
        // Of its own also within another one: a savepoint.
        return await within.transaction(async (transaction): Promise<Taken> => {
          for (const taking of takings) {
            const taken = await takeOne(transaction, taking)
            if (!taken.ok) throw new Refused(taken)
          }
          return { ok: true }
        })
      } catch (error) {
        if (error instanceof Refused) return error.taken
        throw error
      }
    },
    async giveBack(taking) {
      await orm.delete(rateLimits).where(eq(rateLimits.key, keyOf(taking)))
      refusals.forget(keyOf(taking))
    },
    async sweep() {
      await orm.delete(rateLimits).where(lt(rateLimits.fullAt, now()))
    },
  }

  async function takeOne(within: Orm, taking: Taking): Promise<Taken> {
    const { rate } = taking
    const key = keyOf(taking)
    const at = now()
    const next = sql`greatest(${rateLimits.fullAt}, ${at}::bigint) + ${rate.every}::bigint`
    const rows = await within
      .insert(rateLimits)
      .values({ key, fullAt: at + rate.every })
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: { fullAt: next },
        setWhere: sql`${next} <= ${at + rate.every * rate.burst}::bigint`,
      })
      .returning({ key: rateLimits.key })
    if (rows.length > 0) return { ok: true }
    const [row] = await within.select({ fullAt: rateLimits.fullAt }).from(rateLimits).where(eq(rateLimits.key, key))
    const wait = (row?.fullAt ?? at) + rate.every - at - rate.every * rate.burst
    refusals.add(key, wait)
    return { ok: false, rate, retryAfter: Math.max(1, Math.ceil(wait / 1000)) }
  }
}
