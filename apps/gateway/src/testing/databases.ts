import { randomUUID } from 'node:crypto'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import { type Database, openEmbedded, openPostgres } from '../db/open'
import { migrationsDir } from './migrations'
import { createDatabase, notInstalled } from './postgres'

/** Embedded databases of this process that no test has at the moment: to empty one takes a few milliseconds, to open another one half a second. */
const unused: Database[] = []

/** An embedded database of a test's own, up to date and empty. Once it is closed it is somebody else's: whoever still asks it anything fails. */
export async function openTestDatabase(): Promise<Database> {
  const database = unused.pop() ?? (await openCopy())
  await empty(database)
  // What is asked of it goes through here, and through nothing else.
  const { proxy, revoke } = Proxy.revocable(database.orm, {})
  return {
    ...database,
    orm: proxy,
    async close() {
      revoke()
      unused.push(database)
    },
  }
}

/** It lies beside the one that it is a copy of, and goes with it when the run is over. */
async function openCopy(): Promise<Database> {
  const dir = path.join(path.dirname(inject('migratedFolder')), randomUUID())
  await copyMigrated(dir)
  return openEmbedded(migrationsDir, dir)
}

async function empty({ orm }: Database): Promise<void> {
  const names = (await tablesOf(orm)).map((name) => sql.identifier(name))
  await orm.execute(sql`truncate ${sql.join(names, sql`, `)} restart identity cascade`)
}

async function tablesOf(orm: Database['orm']): Promise<string[]> {
  const tables = await orm
    .select({ name: sql<string>`table_name` })
    .from(sql`information_schema.tables`)
    .where(sql`table_schema = 'public'`)
  return tables.map(({ name }) => name)
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
  const rows = new Map<string, string>()
  for (const name of await tablesOf(orm)) {
    rows.set(name, JSON.stringify(await orm.execute(sql`select * from ${sql.identifier(name)}`)))
  }
  return rows
}
