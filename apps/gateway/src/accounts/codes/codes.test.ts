import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../platform/db/open'
import { rateLimits, codes as table } from '../../platform/db/schema'
import { createPostgresLimiter } from '../../platform/limits/postgres'
import { createSecrets, newSecretKeys } from '../../platform/secrets/secrets'
import { databases, openTestDatabase } from '../../testing/databases'
import { meet } from '../../testing/deadlock'
import { type Codes, createCodes } from './codes'

const secrets = createSecrets(newSecretKeys())
const wrong = (digits: string) => String((Number(digits) + 1) % 1_000_000).padStart(6, '0')

describe.each(databases)('codes on $kind', ({ open }) => {
  let database: Database
  let codes: Codes
  let at: number
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    at = 1_800_000_000_000
    await database.orm.delete(table)
    await database.orm.delete(rateLimits)
    const { orm } = database
    const now = () => at
    codes = createCodes({
      orm,
      hash: secrets.hashCode,
      limits: createPostgresLimiter({ orm, hash: secrets.hashCode, now }),
      now,
    })
  })

  test('1. an older code is spent, not wrong; the newest one works', async () => {
    const first = await codes.issue('scope')
    let second = await codes.issue('scope')
    while (second.digits === first.digits) second = await codes.issue('scope')
    expect(await codes.verify('scope', first.digits)).toEqual({ ok: false, failure: 'CODE_SPENT' })
    expect(await codes.verify('scope', second.digits)).toEqual({ ok: true })
  })

  test('1. a code whose email failed does not replace the one before', async () => {
    const first = await codes.issue('scope')
    await (await codes.issue('scope')).withdraw()
    expect(await codes.verify('scope', first.digits)).toEqual({ ok: true })
  })

  test('2. works once', async () => {
    const { digits } = await codes.issue('scope')
    expect(await codes.verify('scope', digits)).toEqual({ ok: true })
    expect(await codes.verify('scope', digits)).toEqual({ ok: false, failure: 'CODE_SPENT' })
  })

  test('2. fifty concurrent correct tries succeed once', async () => {
    const { digits } = await codes.issue('scope')
    const results = await Promise.all(Array.from({ length: 50 }, () => codes.verify('scope', digits)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('2. expires after ten minutes', async () => {
    const { digits } = await codes.issue('scope')
    at += 10 * 60_000
    expect(await codes.verify('scope', digits)).toEqual({ ok: false, failure: 'CODE_EXPIRED' })
    expect(await codes.verify('other scope', digits)).toEqual({ ok: false, failure: 'CODE_EXPIRED' })
  })

  test('3. of fifty concurrent wrong tries, five are checked, and then the correct code fails', async () => {
    const { digits } = await codes.issue('scope')
    const results = await Promise.all(Array.from({ length: 50 }, () => codes.verify('scope', wrong(digits))))
    const failures = results.map((result) => (result.ok ? 'ok' : result.failure))
    expect(failures.filter((failure) => failure === 'WRONG_CODE')).toHaveLength(5)
    expect(failures.filter((failure) => failure === 'TOO_MANY_ATTEMPTS')).toHaveLength(45)
    expect(await codes.verify('scope', digits)).toMatchObject({ failure: 'TOO_MANY_ATTEMPTS', retryAfter: 30 })
  })

  test('3. the fifth try can succeed', async () => {
    const { digits } = await codes.issue('scope')
    for (const triesLeft of [4, 3, 2, 1])
      expect(await codes.verify('scope', wrong(digits))).toEqual({ ok: false, failure: 'WRONG_CODE', triesLeft })
    expect(await codes.verify('scope', digits)).toEqual({ ok: true })
  })

  test('4. is stored only as a hash that depends on its scope', async () => {
    const own = await codes.issue('mine')
    await codes.issue('yours')
    const rows = await database.orm.select().from(table)
    const [first, second] = rows.map(({ codeHash }) => codeHash)
    expect(first).not.toBe(second)
    expect(JSON.stringify(rows.map(({ codeHash }) => codeHash))).not.toContain(own.digits)
  })

  test('deletes codes that expired more than an hour ago', async () => {
    await codes.issue('scope')
    at += 60 * 60_000
    await codes.sweep()
    expect(await database.orm.select().from(table)).toHaveLength(1)
    at += 11 * 60_000
    await codes.sweep()
    expect(await database.orm.select().from(table)).toEqual([])
  })
})

test('a try at old codes and a sweep that meet in opposite orders both end', async () => {
  const database = await openTestDatabase()
  onTestFinished(() => database.close())
  const { orm } = database
  let at = 1_800_000_000_000
  const now = () => at
  const limits = createPostgresLimiter({ orm, hash: secrets.hashCode, now })
  const codes = createCodes({ orm, hash: secrets.hashCode, limits, now })
  for (let count = 0; count < 3; count += 1) await codes.issue('scope')
  at += 71 * 60_000
  const [, middle] = await orm.select().from(table).orderBy(table.id)
  const ends = await meet(
    orm,
    { table, where: eq(table.id, middle?.id ?? 0) },
    () => codes.verify('scope', '123456'),
    () => codes.sweep(),
  )
  expect(ends).toEqual(['fulfilled', 'fulfilled'])
})
