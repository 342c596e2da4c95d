import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import { type Database, openEmbedded, openPostgres } from '../db/open'
import { migrationsDir } from './migrations'
import { createDatabase, notInstalled } from './postgres'

/** An embedded database of a test's own, up to date and empty: a copy of the one that the run began with. It goes when it is closed. */
export async function openTestDatabase(): Promise<Database> {
  const dir = await mkdtemp(path.join(tmpdir(), 'postern-db-'))
  await copyMigrated(path.join(dir, 'db'))
  const database = await openEmbedded(migrationsDir, path.join(dir, 'db'))
  return {
    ...database,
    async close() {
      await database.close()
      await rm(dir, { recursive: true })
    },
  }
}

/** Puts the folder of an embedded database at `dir` that is up to date and empty. */
export const copyMigrated = (dir: string): Promise<void> => cp(inject('migratedFolder'), dir, { recursive: true })

/** Both databases that the gateway runs on, for `describe.each`: whatever holds on one holds on the other. */
export const databases: readonly { readonly kind: string; open(): Promise<Database> }[] = [
  { kind: 'the embedded database', open: openTestDatabase },
  {
    kind: 'PostgreSQL',
    async open() {
      const server = inject('postgresUrl')
      if (server === null) throw new Error(notInstalled)
      return openPostgres(migrationsDir, await createDatabase(server, randomUUID(), 'migrated'), (error) => {
        throw error
      })
    },
  },
]

/** Every row of every table as text, by the table's name: what somebody who took the database away would read. */
export async function everyRow({ orm }: Database): Promise<ReadonlyMap<string, string>> {
  const tables = await orm
    .select({ name: sql<string>`table_name` })
    .from(sql`information_schema.tables`)
    .where(sql`table_schema = 'public'`)
  const rows = new Map<string, string>()
  for (const { name } of tables)
    rows.set(name, JSON.stringify(await orm.execute(sql`select * from ${sql.identifier(name)}`)))
  return rows
}
