/**
 * The database behind one type: PGlite in the process (the default, no set-up) or PostgreSQL. The same SQL and the same
 * migrations run on both, and so do the tests.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { drizzle as drizzleNodePostgres } from 'drizzle-orm/node-postgres'
import { migrate as migrateNodePostgres } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator'
import pg from 'pg'
import { lockDirectory } from './lock'

export type Database = {
  readonly kind: 'embedded' | 'postgresql'
  readonly orm: PgDatabase<PgQueryResultHKT>
  /** Rejects when the database cannot answer within 2 s. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Any number: replicas that start together take turns with the migrations. */
const migrationLock = 5_073_734

/** Opens the embedded database in `dir`, or in memory without one, and brings it up to date. One process at a time. */
export async function openEmbedded(migrationsDir: string, dir?: string): Promise<Database> {
  let unlock = async () => {}
  if (dir !== undefined) {
    await mkdir(path.dirname(dir), { recursive: true, mode: 0o700 })
    unlock = await lockDirectory(`${dir}.lock`)
  }
  try {
    const client = await PGlite.create(dir === undefined ? {} : { dataDir: dir })
    takeTurns(client)
    const orm = drizzlePglite(client)
    await migratePglite(orm, { migrationsFolder: migrationsDir })
    return {
      kind: 'embedded',
      orm,
      ping: () => within(2_000, orm.execute(sql`select 1`)),
      close: async () => {
        await client.close()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Milliseconds for which queries may follow each other in one turn of the event loop. */
const slice = 5

/**
 * Lets the process do what else is waiting, while queries queue up. The embedded database answers on the process's own thread, and one query follows the other
 * without a turn of the event loop in between: however long the queue, nothing else is read, written or timed meanwhile. With this a file waits for a slice of it, and a queue of a
 * few queries is still worked off in one go, so that a process busy with other things does not keep each of them waiting in turn.
 */
function takeTurns(client: PGlite): void {
  const run = client._runExclusiveQuery.bind(client)
  let begun: number | null = null
  client._runExclusiveQuery = (query) =>
    run(async () => {
      if (begun !== null && performance.now() - begun >= slice) await turn()
      if (begun === null) {
        begun = performance.now()
        setImmediate(() => {
          begun = null
        })
      }
      return query()
    })
}

/** @param onError told of a connection that broke while idle; the pool replaces it. */
export async function openPostgres(
  migrationsDir: string,
  url: string,
  onError: (error: Error) => void,
): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
  })
  pool.on('error', onError)
  const connected = new Set<object>()
  pool.on('connect', (client) => connected.add(client))
  pool.on('remove', (client) => connected.delete(client))
  try {
    await migrateOnce(pool, migrationsDir)
  } catch (error) {
    await pool.end()
    throw error
  }
  const orm = drizzleNodePostgres(pool)
  return {
    kind: 'postgresql',
    orm,
    ping: () => within(2_000, orm.execute(sql`select 1`)),
    close: () => endPool(pool, connected),
  }
}

/** `pool.end()` settles while its connections still close: a server that stops meanwhile would be heard as a failure. */
async function endPool(pool: pg.Pool, connected: ReadonlySet<object>): Promise<void> {
  await pool.end()
  while (connected.size > 0) await new Promise((resolve) => pool.once('remove', resolve))
}

async function migrateOnce(pool: pg.Pool, migrationsDir: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await migrateNodePostgres(drizzleNodePostgres(client), { migrationsFolder: migrationsDir })
  } finally {
    // Ends the session, and with it the lock, whatever happened above.
    client.release(true)
  }
}

async function within(ms: number, work: PromiseLike<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database did not answer within ${ms} ms`)), ms)
  })
  try {
    await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** The database that the configuration names. @throws {DatabaseInUseError} when the embedded one is open elsewhere. */
export function openConfigured(
  config: { readonly databaseUrl?: string; readonly dataDir: string; readonly migrationsDir: string },
  onError: (error: Error) => void,
): Promise<Database> {
  return config.databaseUrl === undefined
    ? openEmbedded(config.migrationsDir, path.join(config.dataDir, 'gateway-db'))
    : openPostgres(config.migrationsDir, config.databaseUrl, onError)
}
