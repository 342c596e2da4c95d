import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPostgres, type TestPostgres } from '@postern/devnet/postgres'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ProjectInput } from '../../projects/project'
import { createProjectStore } from '../../projects/store'
import { noon } from '../../testing/clock'
import { copyMigrated, openEmbeddedTestDatabase } from '../../testing/databases'
import { migrationsDir } from '../../testing/migrations'
import { DatabaseInUseError } from './lock'
import { openEmbedded, openPostgres } from './open'

const demo = ProjectInput.parse({ id: 'demo', name: 'Demo' })

describe('the embedded database', () => {
  let dir: string
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'postern-db-'))
  })
  afterEach(() => rm(dir, { recursive: true }))

  test('keeps its rows across restarts', async () => {
    await copyMigrated(path.join(dir, 'db'))
    const first = await openEmbedded(migrationsDir, path.join(dir, 'db'))
    await createProjectStore(first, () => noon).add(demo)
    await first.close()
    const second = await openEmbedded(migrationsDir, path.join(dir, 'db'))
    expect(await createProjectStore(second, () => noon).find('demo')).toMatchObject({ name: 'Demo' })
    await second.close()
  })

  test('is refused while another process has it, with that process’s id', async () => {
    const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
    await copyMigrated(path.join(dir, 'db'))
    await writeFile(path.join(dir, 'db.lock'), `${other.pid}\n`)
    const opening = openEmbedded(migrationsDir, path.join(dir, 'db'))
    await expect(opening).rejects.toThrow(DatabaseInUseError)
    await expect(opening).rejects.toThrow(`process ${other.pid}`)
    const gone = new Promise((resolve) => other.once('exit', resolve))
    other.kill()
    await gone
    const database = await openEmbedded(migrationsDir, path.join(dir, 'db'))
    expect(await readFile(path.join(dir, 'db.lock'), 'utf8')).toBe(`${process.pid}\n`)
    await database.close()
  })
})

describe('a queue of queries on the embedded database', () => {
  test('yields to the event loop every few milliseconds', async () => {
    const database = await openEmbeddedTestDatabase()
    let turns = 0
    let isOver = false
    const turn = () => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    const work = () =>
      database.orm.transaction(async (transaction) => {
        for (let count = 0; count < 20; count += 1) await transaction.execute(sql`select 1`)
      })
    await Promise.all(Array.from({ length: 20 }, work))
    isOver = true
    // Otherwise the database yields only after the whole queue.
    expect(turns).toBeGreaterThan(2)
    await database.close()
  })
})

describe('PostgreSQL', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  const fail = (error: Error) => {
    throw error
  }

  test('replicas that start together run the migrations once', async () => {
    const replicas = await Promise.all([1, 2, 3, 4].map(() => openPostgres(migrationsDir, server.url, fail)))
    const [first] = replicas
    const applied = await first?.orm.execute(sql`select hash from drizzle.__drizzle_migrations`)
    const hashes = JSON.stringify(applied).match(/"hash":"([^"]+)"/g) ?? []
    expect(hashes.length).toBeGreaterThan(0)
    expect(new Set(hashes).size).toBe(hashes.length)
    await Promise.all(replicas.map((replica) => replica.close()))
  })

  test('a replica reads rows that another wrote', async () => {
    const one = await openPostgres(migrationsDir, server.url, fail)
    const two = await openPostgres(migrationsDir, server.url, fail)
    await createProjectStore(one, () => noon).add(demo)
    expect(await createProjectStore(two, () => noon).find('demo')).toMatchObject({ id: 'demo' })
    await one.close()
    await two.close()
  })
})
