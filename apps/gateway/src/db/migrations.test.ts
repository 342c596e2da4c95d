import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDatabase, notInstalled } from '@postern/devnet/postgres'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { MailLook, ProjectInput } from '../projects/project'
import { createProjectStore } from '../projects/store'
import { noon } from '../testing/clock'
import { migrationsDir } from '../testing/migrations'
import { type Database, openPostgres } from './open'
import { wallets } from './wallet-schema'

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

async function until(tag: string): Promise<string> {
  const { entries } = await readJournal()
  return copyWith(entries.slice(0, entries.findIndex((entry) => entry.tag === tag) + 1))
}

describe('migrations', () => {
  test('bring the oldest schema up to date with its rows', async () => {
    const oldest = await open(await until('0000_projects'))
    await oldest.orm.execute(sql`
      insert into projects (id, name, allowed_origins, created_at, updated_at)
      values ('demo', 'Demo', '{https://app.example.com}', now(), now())`)
    await oldest.close()
    const withWallets = await open(await until('0003_wallets'))
    for (const statement of [
      sql`insert into users (id, provider, subject_hash, created_at) values ('u1', 'email', 'hash', now())`,
      sql`insert into wallets (user_id, eip155, solana, bip122, recovery, created_at)
          values ('u1', '0x01', 'So1', '02ab', '{"method":"sign-in"}', now())`,
      sql`insert into auth_shares (user_id, device_id, device_name, sealed, proof_hash, created_at, used_at)
          values ('u1', 'd1', 'Chrome', 'sealed', 'proof', now(), now())`,
      sql`insert into recovery_shares (user_id, device_id, sealed) values ('u1', 'd1', 'sealed too')`,
    ]) {
      await withWallets.orm.execute(statement)
    }
    await withWallets.close()

    const newest = await open(migrationsDir)
    expect(await createProjectStore(newest, () => noon).find('demo')).toMatchObject({
      name: 'Demo',
      allowedOrigins: ['https://app.example.com'],
      recovery: 'any',
    })
    expect(await newest.orm.select().from(wallets)).toMatchObject([
      // A wallet from before the column may have had two shares here.
      { userId: 'u1', eip155: '0x01', isPrevious: false, isExposed: true },
    ])
    const shares = sql`select a.sealed, r.sealed as recovery from auth_shares a join recovery_shares r using (user_id, device_id)`
    expect(Rows.parse(await newest.orm.execute(shares)).rows).toEqual([{ sealed: 'sealed', recovery: 'sealed too' }])
    await newest.close()
  })

  test('leave a project that never chose to ask its visitors as it was', async () => {
    const before = await open(await until('0020_operator_sessions'))
    await before.orm.execute(sql`
      insert into projects (id, name, analytics, created_at, updated_at) values
        ('silent', 'Silent', '{}', now(), now()), ('asks', 'Asks', '{"consent": true}', now(), now())`)
    await before.close()
    const newest = await open(migrationsDir)
    const projects = createProjectStore(newest, () => noon)
    await projects.add(ProjectInput.parse({ id: 'new', name: 'New' }))
    const consents = (await projects.list()).map(({ id, analytics }) => [id, analytics.consent])
    expect(consents).toEqual([
      ['asks', true],
      ['new', true],
      ['silent', false],
    ])
    await newest.close()
  })

  test('let a gateway of the version before read and change a project that has its own lines in emails', async () => {
    const before = await open(await until('0021_analytics_consent'))
    await before.orm.execute(sql`
      insert into projects (id, name, mail, created_at, updated_at)
      values ('old', 'Old', '{"footer": "Questions?"}', now(), now())`)
    await before.close()
    const newest = await open(migrationsDir)
    const projects = createProjectStore(newest, () => noon)
    expect(await projects.find('old')).toMatchObject({ mail: { footer: 'Questions?' }, mailTexts: {} })

    const mailTexts = { de: { intro: 'Willkommen.', footer: 'Fragen?' } }
    await projects.update('old', { mailTexts })
    const { rows } = Rows.parse(await newest.orm.execute(sql`select mail from projects where id = 'old'`))
    // Its schema of `mail`, which refuses other members.
    expect(Object.keys(MailLook.def.shape)).toEqual(['sender', 'replyTo', 'brand', 'color', 'footer'])
    expect(MailLook.parse(rows[0]?.mail)).toMatchObject({ footer: 'Questions?' })

    await newest.orm.execute(sql`update projects set mail = '{"brand": "Shop"}' where id = 'old'`)
    await newest.orm.execute(sql`
      insert into projects (id, name, created_at, updated_at) values ('seeded', 'Seeded', now(), now())`)
    expect(await projects.find('old')).toMatchObject({ mail: { brand: 'Shop', footer: null }, mailTexts })
    expect(await projects.find('seeded')).toMatchObject({ mailTexts: {} })
    await newest.close()
  })

  test('let a gateway of the version before change a project that has a look', async () => {
    const before = await open(await until('0022_project_mail_texts'))
    await before.orm.execute(sql`
      insert into projects (id, name, created_at, updated_at) values ('old', 'Old', now(), now())`)
    await before.close()
    const newest = await open(migrationsDir)
    const projects = createProjectStore(newest, () => noon)
    expect(await projects.find('old')).toMatchObject({ look: {} })
    const look = { accent: '#3344ff', radius: 0 }
    await projects.update('old', { look })
    await newest.orm.execute(sql`update projects set name = 'Renamed' where id = 'old'`)
    expect(await projects.find('old')).toMatchObject({ name: 'Renamed', look })
    await newest.close()
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
    expect(files.length).toBeGreaterThan(16)
    expect(undocumented).toEqual([])
  })
})
