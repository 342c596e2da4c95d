import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDatabase, startPostgres, type TestPostgres } from '@postern/devnet/postgres'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationsDir } from '../../testing/migrations'
import { openConfigured } from './open'
import { DatabaseOpenError } from './open-error'

const open = (databaseUrl: string | undefined, dataDir = '') =>
  openConfigured({ ...(databaseUrl !== undefined && { databaseUrl }), dataDir, migrationsDir }, () => {})

let postgres: TestPostgres
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'postern-open-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a server that does not run is named with its address, without the password', async () => {
  const opening = open('postgresql://postern:hush@127.0.0.1:9/postern')
  await expect(opening).rejects.toThrow(DatabaseOpenError)
  await expect(opening).rejects.toThrow(/^The database 127\.0\.0\.1:9\/postern does not open: connect ECONNREFUSED/)
  await expect(opening).rejects.not.toThrow(/hush/)
})

test('a database that does not exist, and a role without rights in it, are named', async () => {
  const missing = new URL(postgres.url)
  missing.pathname = 'missing'
  await expect(open(missing.href)).rejects.toThrow(/does not open: database "missing" does not exist/)

  const own = new URL(await createDatabase(postgres.url, 'of_another_role'))
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('create role guest login')
  await client.end()
  own.username = 'guest'
  const opening = open(own.href)
  await expect(opening).rejects.toThrow(DatabaseOpenError)
  await expect(opening).rejects.toThrow(/cannot be migrated: permission denied/)
})

test('a folder in which no database can be is named', async () => {
  const file = path.join(folder, 'file')
  await writeFile(file, '')
  const opening = open(undefined, file)
  await expect(opening).rejects.toThrow(DatabaseOpenError)
  await expect(opening).rejects.toThrow(/file\/gateway-db does not open: E/)
})

/** Only root may mount a disk. */
test.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
  'a full disk is named, and the lock leaves nothing on it',
  async () => {
    const disk = await mkdtemp(path.join(folder, 'disk-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { encoding: 'utf8' })
    expect(mounted.stderr).toBe('')
    try {
      await writeFile(path.join(disk, 'filler'), Buffer.alloc(65_536))
      await expect(open(undefined, disk)).rejects.toThrow(/does not open: ENOSPC/)
      expect(await readdir(disk)).toEqual(['filler'])
      // Space for the lock, not for a database.
      await writeFile(path.join(disk, 'filler'), Buffer.alloc(32_768))
      await expect(open(undefined, disk)).rejects.toThrow(/Check that the gateway may write there/)
    } finally {
      spawnSync('umount', ['-l', disk])
    }
  },
)
