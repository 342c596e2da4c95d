/**
 * Rates that replicas count together in PostgreSQL, in the table of {@link createLimits}. A row holds the time at which
 * a key has all its tokens back, by the database's clock: clocks of replicas may differ by more than a burst lasts, and
 * a replica whose clock is ahead would make the others refuse everyone. Keys are stored as keyed hashes.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { Orm } from '../db/open'
import { rateLimits } from '../db/schema'
import type { Exchange } from './memory'

export function createExchange(options: {
  /** Distinct by rate. */
  readonly name: string
  readonly perSecond: number
  readonly burst: number
  readonly orm: Orm
  readonly hash: (text: string) => string
  /** Epoch milliseconds, the same within a statement. Default: the database's clock. */
  readonly databaseNow?: () => SQL
}): Exchange {
  const { name, perSecond, burst, orm, hash, databaseNow = statementTime } = options
  const msPerToken = 1_000 / perSecond
  return async (costs) => {
    const keys = new Map([...costs.keys()].map((key) => [hash(`shared rate ${name} ${key}`), key]))
    const at = databaseNow()
    const rows = [...keys]
      .map(([hashed, key]) => ({
        key: hashed,
        fullAt: sql`${at} + ${Math.ceil((costs.get(key) ?? 0) * msPerToken)}::bigint`,
      }))
      // One order for all replicas: they cannot deadlock.
      .sort((a, b) => (a.key < b.key ? -1 : 1))
    const written = await orm
      .insert(rateLimits)
      .values(rows)
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: { fullAt: sql`greatest(${rateLimits.fullAt}, ${at}) + excluded.full_at - ${at}` },
      })
      .returning({ key: rateLimits.key, msUntilFull: sql`${rateLimits.fullAt} - ${at}`.mapWith(Number) })
    return new Map(
      written.map(({ key, msUntilFull }) => [keys.get(key) ?? key, burst - Math.max(0, msUntilFull) / msPerToken]),
    )
  }
}

const statementTime = () => sql`(extract(epoch from statement_timestamp()) * 1000)::bigint`
