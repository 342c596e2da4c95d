import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import * as z from 'zod/mini'
import { DatabaseOpenError } from './open-error'

type Orm = PgDatabase<PgQueryResultHKT>

const Found = z.object({ rows: z.tuple([z.object({ found: z.boolean() })]) })

/** Refuses a database from before the first release: the first migration would fail midway, since its tables exist. */
export async function refuseOldHistory(orm: Orm, migrationsDir: string): Promise<void> {
  const [initial] = readMigrationFiles({ migrationsFolder: migrationsDir })
  if (initial === undefined || !(await ask(orm, sql`to_regclass('drizzle.__drizzle_migrations') is not null`))) return
  const isOld = sql`select count(*) > 0 and bool_and(created_at <> ${initial.folderMillis})
    from drizzle.__drizzle_migrations`
  if (!(await ask(orm, sql`(${isOld})`))) return
  throw new DatabaseOpenError(
    'The database was made before the first release, by migrations that no longer exist. Use an empty database, or see docs/operate/gateway.md, "A database from before the first release".',
  )
}

async function ask(orm: Orm, condition: ReturnType<typeof sql>): Promise<boolean> {
  const { rows } = Found.parse(await orm.execute(sql`select ${condition} as found`))
  return rows[0].found
}
