import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDatabase, notInstalled } from '@postern/devnet/postgres'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { noon } from '../../testing/clock'
import { migrationsDir } from '../../testing/migrations'
import { type Database, openPostgres } from './open'
import { DatabaseOpenError } from './open-error'

const Journal = z.looseObject({ entries: z.array(z.looseObject({ tag: z.string(), when: z.number() })) })
const Rows = z.looseObject({ rows: z.array(z.looseObject({})) })

let dir: string
let url: string
beforeEach(async () => {
  const server = inject('postgresUrl')
  if (server === null) throw new Error(notInstalled)
  dir = await mkdtemp(path.join(tmpdir(), 'postern-migrations-'))
  url = await createDatabase(server, randomUUID())
})
afterEach(() => rm(dir, { recursive: true }))

const open = (folder: string, at = url): Promise<Database> =>
  openPostgres(folder, at, (error) => {
    throw error
  })

const readJournal = async () =>
  Journal.parse(JSON.parse(await readFile(path.join(migrationsDir, 'meta/_journal.json'), 'utf8')))

/** A copy of the migrations with other entries in the journal. */
async function copyWith(entries: z.output<typeof Journal>['entries']): Promise<string> {
  const folder = path.join(dir, randomUUID())
  await cp(migrationsDir, folder, { recursive: true })
  await writeFile(
    path.join(folder, 'meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  )
  return folder
}

describe('migrations', () => {
  test('do not run on a database from before the first release, which the error names', async () => {
    const old = await open(migrationsDir)
    await old.orm.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`)
    await old.close()
    const opening = open(migrationsDir)
    await expect(opening).rejects.toThrow(DatabaseOpenError)
    await expect(opening).rejects.toThrow(/made before the first release.*docs\/operate\/gateway\.md/)

    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const page = await readFile(path.resolve(migrationsDir, '../../../docs/operate/gateway.md'), 'utf8')
    await client.query(/insert into drizzle\.__drizzle_migrations[^;]*;/.exec(page)?.[0] ?? '')
    await client.end()
    await open(migrationsDir).then((brought) => brought.close())
  })

  test('run on a database that a later version has migrated', async () => {
    const { entries } = await readJournal()
    const later = { idx: entries.length, version: '7', when: noon + 1e12, tag: '9999_later', breakpoints: true }
    const folder = await copyWith([...entries, later])
    await writeFile(path.join(folder, '9999_later.sql'), 'create table later (id text);')
    await open(folder).then((newer) => newer.close())
    await open(migrationsDir).then((older) => older.close())
  })

  test('may take longer than a query, for the replica that migrates and for those that wait', async () => {
    const { entries } = await readJournal()
    const slow = { idx: entries.length, version: '7', when: noon + 1e12, tag: '9999_slow', breakpoints: true }
    const folder = await copyWith([...entries, slow])
    await writeFile(path.join(folder, '9999_slow.sql'), 'create table slow as select 1 as one from pg_sleep(2);')
    const limited = `${url}&statement_timeout=500&lock_timeout=500`
    const replicas = await Promise.all([open(folder, limited), open(folder, limited)])
    for (const replica of replicas) {
      const applied = sql`select 1 from drizzle.__drizzle_migrations where created_at = ${slow.when}`
      expect(Rows.parse(await replica.orm.execute(applied)).rows).toHaveLength(1)
      await expect(replica.orm.execute(sql`select pg_sleep(2)`)).rejects.toMatchObject({
        cause: { message: expect.stringContaining('statement timeout') },
      })
      await replica.close()
    }
  })

  test('let replicas of the version before run on, or the operator’s page says so', async () => {
    /** Without it, a statement of an older replica fails or means something else. */
    const breaking = /\bDROP\b|\bRENAME\b|SET NOT NULL|SET DATA TYPE|ADD COLUMN (?!.*\bDEFAULT\b).*\bNOT NULL\b/
    const page = await readFile(path.resolve(migrationsDir, '../../../docs/operate/gateway.md'), 'utf8')
    const files = (await readdir(migrationsDir)).filter((name) => name.endsWith('.sql'))
    const undocumented: string[] = []
    for (const file of files) {
      const text = await readFile(path.join(migrationsDir, file), 'utf8')
      if (!breaking.test(text)) continue
      const tag = path.basename(file, '.sql')
      if (!page.includes(`**Upgrading past migration \`${tag}\`.**`)) undocumented.push(tag)
    }
    expect(files.length).toBeGreaterThan(0)
    expect(undocumented).toEqual([])
  })
})
