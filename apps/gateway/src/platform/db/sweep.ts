import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Orm } from './open'

/**
 * Deletes the expired rows of a table, except those locked by other transactions, which are left for the next sweep. A
 * sweep waits for no row: it cannot deadlock with a writer of several rows or another replica's sweep.
 */
export async function sweepRows(orm: Orm, table: PgTable, isExpired: SQL): Promise<void> {
  const free = orm.select({ row: sql`ctid` }).from(table).where(isExpired).for('update', { skipLocked: true })
  await orm.delete(table).where(sql`ctid = any(array(${free}))`)
}

/** The database's clock in epoch milliseconds, the same within a statement. */
export const statementTime = (): SQL => sql`(extract(epoch from statement_timestamp()) * 1000)::bigint`
