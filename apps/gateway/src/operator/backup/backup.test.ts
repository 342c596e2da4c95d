import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../platform/db/open'
import { rateLimits } from '../../platform/db/schema'
import { recoveries } from '../../platform/db/wallet-schema'
import { startTestApp, type TestApp } from '../../testing/app'
import { databases, everyRow } from '../../testing/databases'
import { call, codeIn, newToken, signInByEmail, succeed } from '../../testing/sign-in'
import { newWallet } from '../../testing/wallet'
import { createAudit } from '../admin/audit'
import { backUp, restore } from './backup'
import { runBackupCommand } from './command'
import { savedTables, unsavedTables } from './tables'

const email = 'alice@example.com'
const at = Date.parse('2026-06-01T00:00:00Z')

/** What a user of the gateway has before the backup. */
type Alice = {
  readonly deviceToken: string
  readonly session: string
  readonly userId: string
  readonly addresses: ReturnType<typeof newWallet>['addresses']
  readonly shares: { readonly authShare: string; readonly recoveryShare: string }
}

let dir: string
let app: TestApp
let alice: Alice
const opened: Database[] = []
beforeAll(async () => {
  app = await startTestApp()
  const { sessionToken, user, deviceToken } = await signInByEmail(app, email)
  const wallet = newWallet()
  const shares = await wallet.split('create', user.id)
  await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, { token: sessionToken })
  alice = { deviceToken, session: sessionToken, userId: user.id, addresses: wallet.addresses, shares }
})
afterAll(() => app.close())
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'postern-backup-'))
})
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  await rm(dir, { recursive: true })
})

/** Its code is in the mailbox. */
async function beginSignIn() {
  await app.database.orm.delete(rateLimits)
  const { deviceToken } = alice
  const { flow } = await succeed(app, 'email', { email, deviceToken, origin: 'https://app.example.com' })
  return { flow, otp: codeIn(app, email), deviceToken }
}

const file = (name = 'backup') => path.join(dir, name)
const both = () => ({ rows: file('rows'), dataKeys: file('keys') })
const embedded = databases[0]
async function emptyDatabase(open = embedded?.open): Promise<Database> {
  const database = await open?.()
  if (database === undefined) throw new Error('No database')
  opened.push(database)
  return database
}

test('each table is either saved or not', async () => {
  expect([...(await everyRow(app.database)).keys()].sort()).toEqual([...savedTables, ...unsavedTables].sort())
})

test('the operator’s page empties the same tables after pg_dump', async () => {
  const page = await readFile(path.resolve(import.meta.dirname, '../../../../../docs/operate/gateway.md'), 'utf8')
  const statement = /^truncate ([^;]+);/m.exec(page)?.[1]
  expect(statement?.split(/,\s*/).sort()).toEqual([...unsavedTables].sort())
})

describe.each(databases)('a drill on $kind', ({ open }) => {
  test('brings users and shares back, and nothing that was open', async () => {
    const begun = await beginSignIn()
    await backUp(app.database, { rows: file() }, at)
    const database = await emptyDatabase(open)
    expect(await restore(database, { rows: file() })).toMatchObject({ createdAt: '2026-06-01T00:00:00.000Z' })
    const saved = await everyRow(app.database)
    const restored = await everyRow(database)
    for (const table of ['users', 'wallets', 'auth_shares', 'share_keys', 'projects', 'devices', 'share_proofs']) {
      const rowsOf = (text: string | undefined): unknown => JSON.parse(text ?? '{}').rows
      expect(rowsOf(restored.get(table))).toEqual(rowsOf(saved.get(table)))
      expect(rowsOf(saved.get(table))).not.toEqual([])
    }
    for (const table of unsavedTables) expect(restored.get(table)).toContain('"rows":[]')
    expect((await createAudit(database, () => at).list({}))[0]).toMatchObject({
      actor: 'command line',
      action: 'database.restore',
      detail: 'backup of 2026-06-01T00:00:00.000Z',
    })

    const after = await startTestApp({}, { database, secrets: app.secrets })
    expect((await call(after, 'emailVerify', begun)).status).not.toBe(200)
    expect((await call(after, 'wallet', {}, { token: alice.session })).status).toBe(401)

    const { sessionToken, user } = await signInByEmail(after, email, alice.deviceToken)
    expect(user.id).toBe(alice.userId)
    const { wallet } = await succeed(after, 'wallet', {}, { token: sessionToken })
    expect(wallet).toMatchObject({ addresses: alice.addresses })
    const found = await succeed(after, 'deviceShare', {}, { token: sessionToken })
    expect(found).toMatchObject({ authShare: alice.shares.authShare })

    // Where it was sent from, the code works.
    expect((await call(app, 'emailVerify', begun)).status).toBe(200)
  })

  test('also of a database that goes back, with its next ids after the restored ones', async () => {
    const source = await emptyDatabase(open)
    await source.orm.execute(
      sql`insert into projects (id, name, created_at, updated_at) values ('p', 'P', now(), now())`,
    )
    await source.orm.execute(
      sql`insert into analytics_events (project_id, event_id, type, event, origin, properties, received_at)
        select 'p', 'event ' || n, 'track', 'é\n"', 'https://a.example', '{"n": 12345678901234567890}', now()
        from generate_series(1, 1234) n`,
    )
    expect(await backUp(source, { rows: file() }, at)).toBe(1_235)
    const target = await emptyDatabase()
    expect((await restore(target, { rows: file() })).rows).toBe(1_235)
    expect((await everyRow(target)).get('analytics_events')).toContain('event 1234')
    const digest = sql`select md5(string_agg(e::text, ';' order by id)) as md5 from (
      select id, event_id, event, properties, received_at at time zone 'utc' from analytics_events) e`
    expect(await source.orm.execute(digest)).toMatchObject({
      rows: ((await target.orm.execute(digest)) as { rows: unknown[] }).rows,
    })
    await target.orm.execute(
      sql`insert into analytics_events (project_id, event_id, type, event, origin, properties, received_at)
        values ('p', 'next', 'track', 'e', 'o', '{}', now())`,
    )
  })
})

test('a recovery that waits is left out, one that opened is not', async () => {
  const device = sql`select id as "deviceId", user_id as "userId" from devices limit 1`
  const [owner] = ((await app.database.orm.execute(device)) as { rows: { deviceId: string; userId: string }[] }).rows
  if (owner === undefined) throw new Error('No device')
  const rows = async () => {
    const name = file(newToken())
    await backUp(app.database, { rows: name }, at)
    return gunzipSync(await readFile(name)).toString()
  }
  await app.database.orm.insert(recoveries).values({ ...owner, requestedAt: new Date(at), opensAt: new Date(at) })
  expect(await rows()).not.toContain('["table","recoveries"]')
  await app.database.orm.update(recoveries).set({ openedAt: new Date(at) })
  expect(await rows()).toContain('["table","recoveries"]')
  await app.database.orm.delete(recoveries)
})

test('the file is for its owner alone, and holds no share, email, code or token', async () => {
  const { otp } = await beginSignIn()
  await backUp(app.database, { rows: file() }, at)
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  const text = gunzipSync(await readFile(file())).toString()
  expect(text).toContain('auth_shares')
  for (const secret of [
    alice.shares.authShare,
    alice.shares.recoveryShare,
    email,
    alice.session,
    alice.deviceToken,
    otp,
  ]) {
    expect(text).not.toContain(JSON.stringify(secret))
  }
})

describe('data keys in a file of their own', () => {
  test('are nowhere else, and both files restore together', async () => {
    await backUp(app.database, both(), at)
    expect(gunzipSync(await readFile(file('rows'))).toString()).not.toContain('share_keys')
    await restore(await emptyDatabase(), both())
    const last = opened.at(-1)
    if (last === undefined) throw new Error('No database')
    expect((await everyRow(last)).get('share_keys')).toContain(alice.userId)
  })

  test('are required, and data keys of another backup are refused', async () => {
    await backUp(app.database, both(), at)
    await backUp(app.database, { rows: file('other rows'), dataKeys: file('other keys') }, at)
    const database = await emptyDatabase()
    await expect(restore(database, { rows: file('rows') })).rejects.toThrow('has no data keys')
    await expect(restore(database, { rows: file('keys') })).rejects.toThrow('has only data keys')
    await expect(restore(database, { rows: file('rows'), dataKeys: file('other keys') })).rejects.toThrow(
      'does not belong to',
    )
  })

  test('a backup whose second file exists already leaves no first file', async () => {
    await writeFile(file('keys'), 'kept')
    await expect(backUp(app.database, both(), at)).rejects.toThrow('is there already')
    await expect(stat(file('rows'))).rejects.toThrow('ENOENT')
    expect(await readFile(file('keys'), 'utf8')).toBe('kept')
  })
})

describe('a restore is refused', () => {
  test('into a database that is not empty', async () => {
    await backUp(app.database, { rows: file() }, at)
    await expect(restore(app.database, { rows: file() })).rejects.toThrow('The database is not empty (projects)')
    expect((await call(app, 'wallet', {}, { token: alice.session })).status).toBe(200)
  })

  const changes: readonly [string, (lines: readonly string[]) => string | Buffer, string][] = [
    [
      'of another schema',
      ([head = '', ...rest]) => [head.replace(/"schema":"\d/, '"schema":"9'), ...rest].join('\n'),
      'another version',
    ],
    [
      'of a newer format',
      ([head = '', ...rest]) => [head.replace('"version":1', '"version":2'), ...rest].join('\n'),
      'has format 2',
    ],
    ['without its end', (lines) => lines.slice(0, -2).join('\n'), 'is damaged'],
    ['without a row', (lines) => lines.filter((_, index) => index !== 2).join('\n'), 'is damaged'],
    [
      'of an unknown table',
      (lines) => lines.join('\n').replace('["table","users"]', '["table","pg_authid"]'),
      'is damaged',
    ],
    [
      'with a row that is broken',
      (lines) => lines.map((line) => (line.startsWith('{"id"') ? '{"id"' : line)).join('\n'),
      'refuses rows of projects',
    ],
    ['that is no backup', () => 'hello\n', 'is damaged or no backup'],
    ['that is empty', () => '', 'is damaged or no backup'],
  ]
  test.each(changes)('%s', async (_, change, message) => {
    await backUp(app.database, { rows: file() }, at)
    const lines = gunzipSync(await readFile(file()))
      .toString()
      .split('\n')
    await writeFile(file('changed'), gzipSync(change(lines)))
    const database = await emptyDatabase()
    await expect(restore(database, { rows: file('changed') })).rejects.toThrow(message)
    for (const table of savedTables) expect((await everyRow(database)).get(table)).toContain('"rows":[]')
  })

  test('cut off, not gzip, or missing', async () => {
    await backUp(app.database, { rows: file() }, at)
    const bytes = await readFile(file())
    await writeFile(file('cut'), bytes.subarray(0, bytes.length - 20))
    await writeFile(file('text'), 'hello')
    const database = await emptyDatabase()
    await expect(restore(database, { rows: file('cut') })).rejects.toThrow('is damaged')
    await expect(restore(database, { rows: file('text') })).rejects.toThrow('is damaged')
    await expect(restore(database, { rows: file('none') })).rejects.toThrow('is not there')
  })
})

describe('the command', () => {
  const run = (...words: string[]) => runBackupCommand(words, dir, async () => app.database)

  test('takes names in the caller’s folder, and never replaces a file', async () => {
    expect(await run('backup', 'one', '--data-keys', 'two')).toMatch(/^\d+ rows in one$/)
    await expect(run('backup', 'one')).rejects.toThrow('is there already, and was not changed')
    await expect(run('backup', 'no/folder')).rejects.toThrow('cannot be written')
    const target = await emptyDatabase()
    expect(await runBackupCommand(['restore', 'one', '--data-keys', 'two'], dir, async () => target)).toMatch(
      /^\d+ rows of 20.+ All visitors are signed out/,
    )
  })

  test.each([[[]], [['a', 'b']], [['a', '--bad']], [['a', '--data-keys', 'a']]])('refuses %j', async (words) => {
    await expect(run('backup', ...words)).rejects.toMatchObject({ name: 'CommandError', exitCode: 2 })
  })
})
