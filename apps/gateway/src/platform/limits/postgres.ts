/**
 * Limits that all replicas share.
 *
 * 1. A taking is one statement on one row, so concurrent tries never exceed the rate.
 * 2. Keys are keyed hashes: the table reveals no address, network or device.
 * 3. A refusal is repeated from memory (`refusals.ts`): a flood hardly reaches the database.
 * 4. Without the database a take fails: nothing passes uncounted.
 */
import { eq, lt, type SQL, sql } from 'drizzle-orm'
import type { Orm } from '../db/open'
import { rateLimits } from '../db/schema'
import { statementTime, sweepRows } from '../db/sweep'
import { type Refused, refusal, type Taken, type Taking, waitOf } from './limiter'
import { createRefusals } from './refusals'

export type PostgresLimiter = {
  /** @param within an open transaction. */
  take(takings: readonly Taking[], within?: Orm): Promise<Taken>
  /** From memory; null if only the database can decide. */
  refused(takings: readonly Taking[]): Refused | null
  /** Part of the burst, 0 to 1. */
  used(taking: Taking): Promise<number>
  /** Returns a cost after its action failed. Tries that others took since stay taken. */
  giveBack(taking: Taking): Promise<void>
  sweep(): Promise<void>
}

/** Rows of a replica stay as long as the database's clock may be ahead: else their keys would get all tries back. */
const clockDifferenceMs = 3_600_000

class RefusedError extends Error {
  constructor(readonly refused: Refused) {
    super('refused')
  }
}

export function createPostgresLimiter(options: {
  readonly orm: Orm
  readonly hash: (text: string) => string
  /** Epoch ms. */
  readonly now: () => number
  /** For sweeps. Default: the database's clock, as in `replicas.ts`. */
  readonly databaseNow?: () => SQL
}): PostgresLimiter {
  const { orm, hash, now, databaseNow = statementTime } = options
  const keyOf = ({ rate, who }: Taking) => hash(`rate ${rate.name} ${who}`)
  const refusals = createRefusals({ now })

  const refused: PostgresLimiter['refused'] = (takings) => {
    for (const taking of takings) {
      const { rate } = taking
      const untilOne = refusals.of(keyOf(taking))
      if (untilOne !== null) return refusal(rate, waitOf(taking, untilOne + (rate.burst - 1) * rate.every))
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
            if (!taken.ok) throw new RefusedError(taken)
          }
          return { ok: true }
        })
      } catch (error) {
        if (error instanceof RefusedError) return error.refused
        throw error
      }
    },
    async used(taking) {
      const { burst, every } = taking.rate
      return Math.min(1, Math.max(0, (await fullAt(orm, keyOf(taking))) - now()) / (burst * every))
    },
    async giveBack(taking) {
      // A row full before now counts as full now: a regained try is not returned twice.
      await orm
        .update(rateLimits)
        .set({ fullAt: sql`${rateLimits.fullAt} - ${costOf(taking)}::bigint` })
        .where(eq(rateLimits.key, keyOf(taking)))
      refusals.forget(keyOf(taking))
    },
    async sweep() {
      await sweepRows(orm, rateLimits, lt(rateLimits.fullAt, sql`${databaseNow()} - ${clockDifferenceMs}::bigint`))
    },
  }

  async function takeOne(within: Orm, taking: Taking): Promise<Taken> {
    const { rate, cost = 1 } = taking
    const key = keyOf(taking)
    const at = now()
    const next = sql`greatest(${rateLimits.fullAt}, ${at}::bigint) + ${costOf(taking)}::bigint`
    const rows =
      cost > rate.burst
        ? []
        : await within
            .insert(rateLimits)
            .values({ key, fullAt: at + costOf(taking) })
            .onConflictDoUpdate({
              target: rateLimits.key,
              set: { fullAt: next },
              setWhere: sql`${next} <= ${at + rate.every * rate.burst}::bigint`,
            })
            .returning({ key: rateLimits.key })
    if (rows.length > 0) return { ok: true }
    const untilFull = Math.max(0, (await fullAt(within, key)) - at)
    refusals.add(key, waitOf({ ...taking, cost: 1 }, untilFull))
    return refusal(rate, waitOf(taking, untilFull))
  }

  /** Epoch ms; 0 for an unused key. */
  async function fullAt(within: Orm, key: string): Promise<number> {
    const [row] = await within.select({ fullAt: rateLimits.fullAt }).from(rateLimits).where(eq(rateLimits.key, key))
    return row?.fullAt ?? 0
  }
}

function costOf({ rate: { every }, cost = 1 }: Taking): number {
  return every * cost
}
