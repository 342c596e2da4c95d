/**
 * Backups of the embedded database and PostgreSQL: each restores into the other.
 *
 * 1. It is one snapshot; the gateway goes on.
 * 2. It has rows as stored: hashed or sealed by `POSTERN_SECRETS`, which is never in it.
 * 3. It has nothing open or used up (`tables.ts`): after a restore all visitors sign in again.
 * 4. It is restored into an empty database, whole or not at all.
 */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { DrizzleQueryError, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { CommandError } from '../../platform/command-error'
import { auditLog, commandLine } from '../../platform/db/admin-schema'
import type { Database } from '../../platform/db/open'
import { type Entry, type Header, readBackup, writeBackup } from './file'
import { dataKeysTable, type SavedTable, savedRows, savedTables, unsavedTables } from './tables'

/** With `dataKeys`, only that file has the rows of `share_keys`. */
export type BackupFiles = { readonly rows: string; readonly dataKeys?: string | undefined }

type Orm = Pick<Database['orm'], 'execute'>

const batchSize = 500

export function backUp({ orm }: Pick<Database, 'orm'>, files: BackupFiles, now: number): Promise<number> {
  return orm.transaction(
    async (snapshot) => {
      const common = { id: randomUUID(), createdAt: new Date(now).toISOString(), schema: await schemaOf(snapshot) }
      const write = (file: string, part: Header['part'], tables: readonly SavedTable[]) =>
        writeBackup(file, { ...common, part }, readRows(snapshot, tables))
      if (files.dataKeys === undefined) return write(files.rows, 'all', savedTables)
      const others = savedTables.filter((table) => table !== dataKeysTable)
      const rows = await write(files.rows, 'rows', others)
      try {
        return rows + (await write(files.dataKeys, 'dataKeys', [dataKeysTable]))
      } catch (error) {
        await rm(files.rows, { force: true })
        throw error
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

async function* readRows(orm: Orm, tables: readonly SavedTable[]): AsyncGenerator<Entry> {
  for (const table of tables) {
    const condition = sql.raw(savedRows[table] ?? 'true')
    await orm.execute(
      sql`declare backup_rows no scroll cursor for
        select to_jsonb(saved)::text as row from ${sql.identifier(table)} saved where ${condition}`,
    )
    for (;;) {
      const rows = await query(
        orm,
        sql`fetch ${sql.raw(String(batchSize))} from backup_rows`,
        z.object({ row: z.string() }),
      )
      for (const { row } of rows) yield { table, row }
      if (rows.length < batchSize) break
    }
    await orm.execute(sql`close backup_rows`)
  }
}

/** @throws {CommandError} and changes nothing. */
export async function restore(
  { orm }: Pick<Database, 'orm'>,
  files: BackupFiles,
): Promise<{ readonly rows: number; readonly createdAt: string }> {
  const main = await readBackup(files.rows)
  if (main.header.part === 'dataKeys') throw new CommandError(`${files.rows} has only data keys: name the rows first`)
  if (main.header.part === 'all' && files.dataKeys !== undefined) {
    throw new CommandError(`${files.rows} has its data keys: leave --data-keys out`)
  }
  if (main.header.part === 'rows' && files.dataKeys === undefined) {
    throw new CommandError(
      `${files.rows} has no data keys, and no share opens without: name their file with --data-keys`,
    )
  }
  const keys = files.dataKeys === undefined ? null : await readBackup(files.dataKeys)
  if (keys !== null && (keys.header.part !== 'dataKeys' || keys.header.id !== main.header.id)) {
    throw new CommandError(`${files.dataKeys} does not belong to ${files.rows}: take the two of one backup`)
  }
  const rows = await orm.transaction(async (transaction) => {
    const schema = await schemaOf(transaction)
    if (schema !== main.header.schema) {
      throw new CommandError(
        `${files.rows} is from another version of the gateway: restore it with that version into an empty database, then update`,
      )
    }
    const all = sql.join(
      [...savedTables, ...unsavedTables].map((table) => sql.identifier(table)),
      sql`, `,
    )
    await transaction.execute(sql`lock table ${all} in access exclusive mode`)
    for (const table of savedTables) {
      const found = await query(
        transaction,
        sql`select 1 as one from ${sql.identifier(table)} limit 1`,
        z.looseObject({}),
      )
      if (found.length > 0) throw new CommandError(`The database is not empty (${table}): restore into a new one`)
    }
    for (const table of unsavedTables) await transaction.execute(sql`delete from ${sql.identifier(table)}`)
    const count = await insertAll(transaction, main.entries)
    const written = count + (keys === null ? 0 : await insertAll(transaction, keys.entries))
    await transaction.insert(auditLog).values({
      at: sql`now()`,
      actor: commandLine,
      action: 'database.restore',
      target: null,
      detail: `backup of ${main.header.createdAt}`,
    })
    return written
  })
  return { rows, createdAt: main.header.createdAt }
}

async function insertAll(orm: Orm, entries: AsyncIterable<Entry>): Promise<number> {
  let count = 0
  let batch: Entry[] = []
  for await (const entry of entries) {
    if (batch.length === batchSize || (batch[0] !== undefined && batch[0].table !== entry.table)) await flush()
    batch.push(entry)
  }
  await flush()
  for (const table of savedTables) await advanceIdentity(orm, table)
  return count

  async function flush(): Promise<void> {
    const [first] = batch
    if (first === undefined) return
    const table = sql.identifier(first.table)
    const rows = `[${batch.map(({ row }) => row).join(',')}]`
    try {
      await orm.execute(
        sql`insert into ${table} overriding system value
          select * from jsonb_populate_recordset(null::${table}, ${rows}::jsonb)`,
      )
    } catch (error) {
      // The message has the rows.
      if (!(error instanceof DrizzleQueryError)) throw error
      throw new CommandError(`The database refuses rows of ${first.table}: ${error.cause?.message ?? 'no reason'}`)
    }
    count += batch.length
    batch = []
  }
}

/** Generated ids follow the restored ones. */
async function advanceIdentity(orm: Orm, table: SavedTable): Promise<void> {
  const columns = await query(
    orm,
    sql`select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and is_identity = 'YES'`,
    z.object({ name: z.string() }),
  )
  for (const { name } of columns) {
    await orm.execute(
      sql`select setval(pg_get_serial_sequence(${table}, ${name}), max(${sql.identifier(name)}))
        from ${sql.identifier(table)} having max(${sql.identifier(name)}) is not null`,
    )
  }
}

async function schemaOf(orm: Orm): Promise<string> {
  const [last] = await query(
    orm,
    sql`select max(created_at)::text as schema from drizzle.__drizzle_migrations`,
    z.object({ schema: z.string() }),
  )
  return last?.schema ?? ''
}

async function query<T extends z.ZodMiniType>(orm: Orm, text: ReturnType<typeof sql>, row: T): Promise<z.infer<T>[]> {
  return z.object({ rows: z.array(row) }).parse(await orm.execute(text)).rows
}
