/** The embedded database on a disk that fills up. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { copyMigrated } from '../../testing/databases'
import { migrationsDir } from '../../testing/migrations'
import { databaseFault } from './fault'
import { openEmbedded } from './open'

/** Only root may mount a disk. */
const canMount = process.getuid?.() === 0 && process.platform === 'linux'

let disk = ''
afterEach(async () => {
  if (disk === '') return
  spawnSync('umount', ['-l', disk])
  await rm(disk, { recursive: true, force: true })
})

const filler = () => path.join(disk, 'filler')

/** Leaves less than the next file of the write-ahead log needs, 16 MiB. */
async function fillDisk(): Promise<void> {
  const { bavail, bsize } = await statfs(disk)
  const file = await open(filler(), 'w')
  for (let left = bavail * bsize - 14_000_000; left > 0; left -= 1_048_576) await file.write(Buffer.alloc(1_048_576))
  await file.close()
}

test.runIf(canMount)(
  'refuses queries after its log could not grow, and has every stored row when it is opened again',
  { timeout: 60_000 },
  async () => {
    disk = await mkdtemp(path.join(tmpdir(), 'postern-panic-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', disk], { encoding: 'utf8' })
    expect(mounted.stderr).toBe('')
    const dir = path.join(disk, 'db')
    await copyMigrated(dir)
    const database = await openEmbedded(migrationsDir, dir)
    const { orm } = database
    await orm.execute(sql`create table stored (id int, text text)`)
    await fillDisk()
    let stored = 0
    const write = () =>
      orm.execute(
        sql`insert into stored select ${stored + 1}, string_agg(md5(random()::text), '') from generate_series(1, 2000)`,
      )
    let failure: unknown = null
    while (failure === null && stored < 5_000) {
      failure = await write().then(
        () => null,
        (error: unknown) => error,
      )
      if (failure === null) stored += 1
      // Keeps the table small: only the log grows.
      if (failure === null && stored % 20 === 0) await orm.execute(sql`update stored set text = '' where text <> ''`)
      if (failure === null && stored % 20 === 1) await orm.execute(sql`vacuum stored`)
    }
    expect(databaseFault(failure)).toBe('53100')
    expect(await database.panicked).toMatchObject({ severity: 'PANIC' })

    await expect(write()).rejects.toSatisfy((error) => databaseFault(error) === '53100')
    await expect(orm.transaction((transaction) => transaction.execute(sql`select 1`))).rejects.toThrow()
    await expect(database.ping()).rejects.toThrow()
    await database.close()

    await rm(filler())
    const again = await openEmbedded(migrationsDir, dir)
    expect(await again.orm.select({ count: sql<number>`count(*)::int` }).from(sql`stored`)).toEqual([{ count: stored }])
    await again.close()
  },
)
