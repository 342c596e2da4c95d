/**
 * Rate limits shared by all replicas, for emails and tries at codes.
 *
 * 1. A rate allows `burst` tries at once and gives one back every `every` ms: in any time `t` at most `burst + t /
 *    every` (GCRA, a sliding window in one number).
 * 2. Taking is one statement on one row, so concurrent tries never exceed the rate.
 * 3. Several rates are taken together or not at all: a try that one of them refuses uses up nothing of the others. So a
 *    flood against one address spends neither its network's share nor the project's.
 * 4. Keys are stored as keyed hashes: the table reveals no address, network or device.
 * 5. A refusal is repeated from memory while it lasts, so a flood does not reach the database.
 */
import { eq, lt, sql } from 'drizzle-orm'
import type { Orm } from '../db/open'
import { rateLimits } from '../db/schema'
import { createRefusals } from './refusals'

export type Rate = {
  readonly name: string
  readonly burst: number
  /** In ms. */
  readonly every: number
}

export type Taking = { readonly rate: Rate; readonly who: string }

export type Taken =
  | { readonly ok: true }
  /** `retryAfter` in s, at least 1. */
  | { readonly ok: false; readonly rate: Rate; readonly retryAfter: number }

export type Limits = {
  /**
   * @param takings narrowest first.
   * @param within an open transaction.
   */
  take(takings: readonly Taking[], within?: Orm): Promise<Taken>
  /** A refusal from memory; null if only the database can tell. */
  refused(takings: readonly Taking[]): Extract<Taken, { ok: false }> | null
  /** The part of a rate's burst that is used, 0 to 1. */
  used(taking: Taking): Promise<number>
  /** Returns one try, for a taking whose action failed. Tries taken by others since then stay taken. */
  giveBack(taking: Taking): Promise<void>
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
        // A savepoint inside another transaction.
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
    async used(taking) {
      const { burst, every } = taking.rate
      const [row] = await orm
        .select({ fullAt: rateLimits.fullAt })
        .from(rateLimits)
        .where(eq(rateLimits.key, keyOf(taking)))
      return Math.min(1, Math.max(0, ((row?.fullAt ?? 0) - now()) / (burst * every)))
    },
    async giveBack(taking) {
      // A row that is full before now counts as full now, so a try that was already regained is not returned twice.
      await orm
        .update(rateLimits)
        .set({ fullAt: sql`${rateLimits.fullAt} - ${taking.rate.every}::bigint` })
        .where(eq(rateLimits.key, keyOf(taking)))
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
