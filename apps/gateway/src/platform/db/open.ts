/** PGlite in the process (default) or PostgreSQL, with the same SQL. */
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
import { traceQueries } from '../tracing/spans'
import { lockDirectory } from './lock'
import { refuseOldHistory } from './old-history'
import { cannotConnect, cannotMigrate, cannotStore } from './open-error'

export type Orm = PgDatabase<PgQueryResultHKT>

export type Database = {
  readonly kind: 'embedded' | 'postgresql'
  readonly orm: Orm
  /** Rejects after 2 s. */
  ping(): Promise<void>
  /** Resolves when no query can run until the process restarts. Absent on PostgreSQL. */
  readonly panicked?: Promise<Error>
  /** Absent on the embedded database. */
  readonly pool?: () => { readonly total: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

/** Arbitrary id: replicas migrate one after another. */
const migrationLock = 5_073_734

/** `dir` absent: in memory. One process at a time. */
export async function openEmbedded(migrationsDir: string, dir?: string): Promise<Database> {
  let unlock = async () => {}
  if (dir !== undefined) {
    try {
      await mkdir(path.dirname(dir), { recursive: true, mode: 0o700 })
      unlock = await lockDirectory(`${dir}.lock`)
    } catch (error) {
      throw cannotStore(dir, error)
    }
  }
  try {
    const client = await PGlite.create(dir === undefined ? {} : { dataDir: dir })
    const panic = refuseAfterPanic(client)
    takeTurns(client)
    const orm = drizzlePglite(client)
    await refuseOldHistory(orm, migrationsDir)
    await migratePglite(orm, { migrationsFolder: migrationsDir })
    return {
      kind: 'embedded',
      orm,
      ping: () => within(2_000, orm.execute(sql`select 1`)),
      panicked: panic.happened,
      close: async () => {
        if (panic.error() === null) await client.close()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw dir === undefined ? error : cannotStore(dir, error)
  }
}

/** After a panic, such as a full disk, PGlite's next query never returns and blocks the process: refuse it. */
function refuseAfterPanic(client: PGlite): { readonly happened: Promise<Error>; error(): Error | null } {
  const run = client._runExclusiveQuery.bind(client)
  let panic: Error | null = null
  let report: (error: Error) => void = () => {}
  const happened = new Promise<Error>((resolve) => {
    report = resolve
  })
  client._runExclusiveQuery = (query) =>
    run(async () => {
      if (panic !== null) throw panic
      try {
        return await query()
      } catch (error) {
        if (error instanceof Error && 'severity' in error && error.severity === 'PANIC') {
          panic = error
          report(error)
        }
        throw error
      }
    })
  return { happened, error: () => panic }
}

/** Longest run of queries before yielding, in ms. */
const slice = 5

/** Yields between queries: PGlite runs on this thread, and a long queue would block I/O and timers. */
function takeTurns(client: PGlite): void {
  const run = client._runExclusiveQuery.bind(client)
  let startedAt: number | null = null
  client._runExclusiveQuery = (query) =>
    run(async () => {
      if (startedAt !== null && performance.now() - startedAt >= slice) await turn()
      if (startedAt === null) {
        startedAt = performance.now()
        setImmediate(() => {
          startedAt = null
        })
      }
      return query()
    })
}

/** Connections that break within this time belong to one server stop. */
const breakTogetherMs = 5_000

/** @param onError idle connections broke and are replaced; called once per server stop. */
export async function openPostgres(
  migrationsDir: string,
  url: string,
  onError: (error: Error) => void,
): Promise<Database> {
  await migrateOnce(url, migrationsDir)
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
  })
  let reportedAt: number | null = null
  pool.on('error', (error) => {
    if (reportedAt !== null && performance.now() - reportedAt < breakTogetherMs) return
    reportedAt = performance.now()
    onError(error)
  })
  const connected = new Set<object>()
  traceQueries(pool)
  pool.on('connect', (client) => {
    traceQueries(client)
    connected.add(client)
  })
  pool.on('remove', (client) => connected.delete(client))
  const orm = drizzleNodePostgres(pool)
  return {
    kind: 'postgresql',
    orm,
    ping: () => within(2_000, orm.execute(sql`select 1`)),
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => endPool(pool, connected),
  }
}

/** `pool.end()` does not wait for closed connections; a server that stops then would look like a failure. */
async function endPool(pool: pg.Pool, connected: ReadonlySet<object>): Promise<void> {
  await pool.end()
  while (connected.size > 0) await new Promise((resolve) => pool.once('remove', resolve))
}

/**
 * Migrates on its own connection: a migration, or the wait for another replica's, may exceed time limits of pool, role
 * or URL. The lock ends with the connection.
 */
async function migrateOnce(url: string, migrationsDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true })
  let onLost: (error: Error) => void = () => {}
  const lost = new Promise<never>((_, reject) => {
    onLost = reject
  })
  client.on('error', onLost)
  const work = async () => {
    await client.connect().catch((error: unknown) => {
      throw cannotConnect(url, error)
    })
    for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
      await client.query(`set ${limit} = 0`)
    }
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const orm = drizzleNodePostgres(client)
    await refuseOldHistory(orm, migrationsDir)
    await migrateNodePostgres(orm, { migrationsFolder: migrationsDir })
  }
  try {
    await Promise.race([work(), lost])
  } catch (error) {
    throw cannotMigrate(url, error)
  } finally {
    await client.end()
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

export function openConfigured(
  config: { readonly databaseUrl?: string; readonly dataDir: string; readonly migrationsDir: string },
  onError: (error: Error) => void,
): Promise<Database> {
  return config.databaseUrl === undefined
    ? openEmbedded(config.migrationsDir, path.join(config.dataDir, 'gateway-db'))
    : openPostgres(config.migrationsDir, config.databaseUrl, onError)
}
