import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { expect } from 'vitest'
import type { Orm } from '../platform/db/open'

/** Statements that wait for a lock. */
export async function waitingForLock(orm: Orm): Promise<number> {
  return (await orm.select({ pid: sql`pid` }).from(sql`pg_locks`).where(sql`not granted`)).length
}

/**
 * Runs two writers of the same rows in PostgreSQL, while another transaction holds a row that both need: each has locked
 * some rows by then. Writers that lock in opposite orders deadlock when the row is released, unless `second` waits for no
 * row.
 *
 * @returns how each ended.
 */
export async function meet(
  orm: Orm,
  row: { readonly table: PgTable; readonly where: SQL },
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<readonly PromiseSettledResult<unknown>['status'][]> {
  const waiting = () => waitingForLock(orm)
  const running: Promise<unknown>[] = []
  await orm.transaction(async (transaction) => {
    await transaction.select({ row: sql`ctid` }).from(row.table).where(row.where).for('update')
    running.push(first())
    await expect.poll(waiting).toBe(1)
    const last = second()
    running.push(last)
    await Promise.race([last, expect.poll(waiting).toBe(2)])
  })
  return (await Promise.allSettled(running)).map(({ status }) => status)
}
