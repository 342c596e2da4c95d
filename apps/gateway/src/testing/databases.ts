import { randomUUID } from 'node:crypto'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import { type Database, openEmbedded, openPostgres } from '../db/open'
import { migrationsDir } from './migrations'
import { createDatabase, notInstalled } from './postgres'

/** Emptying one takes milliseconds, opening one half a second. */
const unused: Database[] = []

/** Empty and migrated. Queries after `close` fail: another test may have it. */
export async function openTestDatabase(): Promise<Database> {
  const database = unused.pop() ?? (await openCopy())
  await empty(database)
  // All queries go through this proxy.
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

/** Deleted after the run with the original. */
async function openCopy(): Promise<Database> {
  const dir = path.join(path.dirname(inject('migratedFolder')), randomUUID())
  await copyMigrated(dir)
  return openEmbedded(migrationsDir, dir)
}

async function empty({ orm }: Database): Promise<void> {
  const names = (await tablesOf(orm)).map((name) => sql.identifier(name))
  await orm.transaction(async (transaction) => {
    // Without triggers: the audit log refuses it.
    await transaction.execute(sql`set local session_replication_role = replica`)
    await transaction.execute(sql`truncate ${sql.join(names, sql`, `)} restart identity cascade`)
  })
}

async function tablesOf(orm: Database['orm']): Promise<string[]> {
  const tables = await orm
    .select({ name: sql<string>`table_name` })
    .from(sql`information_schema.tables`)
    .where(sql`table_schema = 'public'`)
  return tables.map(({ name }) => name)
}

/** Copies an empty, migrated one to `dir`. */
export const copyMigrated = (dir: string): Promise<void> => cp(inject('migratedFolder'), dir, { recursive: true })

/** For `describe.each`. */
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

/** All rows as text, by table: what a thief would see. */
export async function everyRow({ orm }: Database): Promise<ReadonlyMap<string, string>> {
  const rows = new Map<string, string>()
  for (const name of await tablesOf(orm)) {
    rows.set(name, JSON.stringify(await orm.execute(sql`select * from ${sql.identifier(name)}`)))
  }
  return rows
}
