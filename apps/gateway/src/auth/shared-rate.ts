/**
 * Rates that replicas count together in PostgreSQL, by the table of {@link createLimits}: a row is when a key has all its
 * tokens back. Keys are stored as keyed hashes.
 */
import { sql } from 'drizzle-orm'
import { rateLimits } from '../db/schema'
import type { Exchange } from '../http/rate-limit'
import type { Orm } from './limits'

export function createExchange(options: {
  /** Distinct by rate. */
  readonly name: string
  readonly perSecond: number
  readonly burst: number
  readonly orm: Orm
  readonly hash: (text: string) => string
  /** Epoch milliseconds. */
  readonly now: () => number
}): Exchange {
  const { name, perSecond, burst, orm, hash, now } = options
  const msPerToken = 1_000 / perSecond
  return async (costs) => {
    const keys = new Map([...costs.keys()].map((key) => [hash(`shared rate ${name} ${key}`), key]))
    const at = now()
    const rows = [...keys]
      .map(([hashed, key]) => ({ key: hashed, fullAt: at + Math.ceil((costs.get(key) ?? 0) * msPerToken) }))
      // One order for all replicas: they cannot deadlock.
      .sort((a, b) => (a.key < b.key ? -1 : 1))
    const written = await orm
      .insert(rateLimits)
      .values(rows)
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: {
          fullAt: sql`greatest(${rateLimits.fullAt}, ${at}::bigint) + excluded.full_at - ${at}::bigint`,
        },
      })
      .returning({ key: rateLimits.key, fullAt: rateLimits.fullAt })
    const received = now()
    return new Map(
      written.map(({ key, fullAt }) => [keys.get(key) ?? key, burst - Math.max(0, fullAt - received) / msPerToken]),
    )
  }
}
