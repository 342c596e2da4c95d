import { randomUUID } from 'node:crypto'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { createDatabase, notInstalled } from '@postern/devnet/postgres'
import { sql } from 'drizzle-orm'
import { inject } from 'vitest'
import { type Database, openEmbedded, openPostgres } from '../platform/db/open'
import { migrationsDir } from './migrations'

/** Emptying one takes milliseconds; opening one half a second, embedded, and a fifth of one in PostgreSQL. */
const unused: Record<Database['kind'], Database[]> = { embedded: [], postgresql: [] }

/** Empty and migrated, in PostgreSQL as in production. Queries after `close` fail: another test may have it. */
export const openTestDatabase = (): Promise<Database> => open('postgresql', openPostgresCopy)

export const openEmbeddedTestDatabase = (): Promise<Database> => open('embedded', openEmbeddedCopy)

async function open(kind: Database['kind'], openNew: () => Promise<Database>): Promise<Database> {
  const used = unused[kind].pop()
  if (used !== undefined) await used.orm.execute(sql.raw(emptyTables))
  const database = used ?? (await openNew())
  // All queries go through this proxy.
  const { proxy, revoke } = Proxy.revocable(database.orm, {})
  return {
    ...database,
    orm: proxy,
    async close() {
      revoke()
      unused[kind].push(database)
    },
  }
}

/** Deleted after the run with the original. */
async function openEmbeddedCopy(): Promise<Database> {
  const dir = path.join(path.dirname(inject('migratedFolder')), randomUUID())
  await copyMigrated(dir)
  return openEmbedded(migrationsDir, dir)
}

async function openPostgresCopy(): Promise<Database> {
  const server = inject('postgresUrl')
  if (server === null) throw new Error(notInstalled)
  return openPostgres(migrationsDir, await createDatabase(server, randomUUID(), 'migrated'), (error) => {
    throw error
  })
}

/**
 * Without triggers: the audit log refuses it. To truncate a table makes its files again, so few rows are deleted, which
 * is ten times as fast.
 */
const emptyTables = `do $$
declare
  found record;
begin
  perform set_config('session_replication_role', 'replica', true);
  for found in
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'
  loop
    case
      when pg_relation_size(found.name) = 0 then null;
      when pg_relation_size(found.name) > 65536 then execute 'truncate ' || found.name || ' cascade';
      else execute 'delete from ' || found.name;
    end case;
  end loop;
  perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
    from pg_sequences where schemaname = 'public' and last_value is not null;
end $$`

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
  { kind: 'the embedded database', open: openEmbeddedTestDatabase },
  { kind: 'PostgreSQL', open: openTestDatabase },
]

/** All rows as text, by table: what a thief would see. */
export async function everyRow({ orm }: Database): Promise<ReadonlyMap<string, string>> {
  const rows = new Map<string, string>()
  for (const name of await tablesOf(orm)) {
    rows.set(name, JSON.stringify(await orm.execute(sql`select * from ${sql.identifier(name)}`)))
  }
  return rows
}
