import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Orm } from './open'

/**
 * Deletes a table's expired rows, except locked ones: waiting for no row, it cannot deadlock with a writer or another
 * sweep.
 */
export async function sweepRows(orm: Orm, table: PgTable, isExpired: SQL): Promise<void> {
  const free = orm.select({ row: sql`ctid` }).from(table).where(isExpired).for('update', { skipLocked: true })
  await orm.delete(table).where(sql`ctid = any(array(${free}))`)
}

/** The database's clock in epoch ms, the same within a statement. */
export const statementTime = (): SQL => sql`(extract(epoch from statement_timestamp()) * 1000)::bigint`
