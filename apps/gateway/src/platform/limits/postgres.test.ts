import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../testing/databases'
import type { Database } from '../db/open'
import { rateLimits } from '../db/schema'
import type { Rate } from './limiter'
import { createPostgresLimiter, type PostgresLimiter } from './postgres'

const rate: Rate = { name: 'tries', burst: 5, every: 60_000 }
const taking = (who: string, of: Rate = rate) => ({ rate: of, who })

describe.each(databases)('limits on $kind', ({ open }) => {
  let database: Database
  let limits: PostgresLimiter
  let at: number
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    at = 1_800_000_000_000
    await database.orm.delete(rateLimits)
    limits = createPostgresLimiter({
      orm: database.orm,
      hash: (text) => `hash of ${text}`,
      now: () => at,
      databaseNow: () => sql`${at}::bigint`,
    })
  })

  test('2. stores no plain key, and deletes rows that have all tries back', async () => {
    await limits.take([taking('a@example.com')])
    const hashed = createPostgresLimiter({ orm: database.orm, hash: () => 'abc', now: () => at })
    await hashed.take([taking('a@example.com')])
    expect((await database.orm.select().from(rateLimits)).map(({ key }) => key)).toContain('abc')
    at += 60_001 + 3_600_000
    await limits.sweep()
    expect(await database.orm.select().from(rateLimits)).toEqual([])
  })

  test('1. a sweep by a database whose clock is half an hour ahead gives no tries back', async () => {
    for (let count = 0; count < 5; count += 1) await limits.take([taking('a')])
    const ahead = createPostgresLimiter({
      orm: database.orm,
      hash: (text) => `hash of ${text}`,
      now: () => at,
      databaseNow: () => sql`${at + 1_800_000}::bigint`,
    })
    await ahead.sweep()
    expect((await limits.take([taking('a')])).ok).toBe(false)
  })

  test('3. repeats a refusal without the database, then asks the database again', async () => {
    const one = taking('a', { name: 'one', burst: 1, every: 60_000 })
    expect(limits.refused([one])).toBeNull()
    await limits.take([one])
    expect(limits.refused([one])).toBeNull()
    const refused = await limits.take([taking('b'), one])
    expect(refused).toEqual({ ok: false, rate: one.rate, retryAfter: 60 })
    await database.orm.delete(rateLimits)
    at += 4_999
    expect(limits.refused([taking('b'), one])).toEqual({ ok: false, rate: one.rate, retryAfter: 56 })
    expect(await limits.take([one])).toEqual({ ok: false, rate: one.rate, retryAfter: 56 })
    expect(await limits.take([taking('b')])).toEqual({ ok: true })
    at += 1
    expect(await limits.take([one])).toEqual({ ok: true })
  })

  test('gives back a try that was not used', async () => {
    const one = taking('a', { name: 'one', burst: 1, every: 60_000 })
    await limits.take([one])
    expect((await limits.take([one])).ok).toBe(false)
    await limits.giveBack(one)
    expect((await limits.take([one])).ok).toBe(true)
  })

  test('gives back one try, not the whole burst', async () => {
    for (let count = 0; count < 5; count += 1) await limits.take([taking('a')])
    expect((await limits.take([taking('a')])).ok).toBe(false)
    await limits.giveBack(taking('a'))
    expect((await limits.take([taking('a')])).ok).toBe(true)
    expect((await limits.take([taking('a')])).ok).toBe(false)
  })

  test('gives back no more than the burst', async () => {
    await limits.take([taking('a')])
    at += 60_000
    await limits.giveBack(taking('a'))
    for (let count = 0; count < 5; count += 1) expect((await limits.take([taking('a')])).ok).toBe(true)
    expect((await limits.take([taking('a')])).ok).toBe(false)
  })

  test('4. without the database a take fails, and a remembered refusal is repeated', async () => {
    const one: Rate = { name: 'one', burst: 1, every: 60_000 }
    const { proxy, revoke } = Proxy.revocable(database.orm, {})
    const own = createPostgresLimiter({ orm: proxy, hash: (text) => text, now: () => at })
    await own.take([taking('a', one)])
    await own.take([taking('a', one)])
    revoke()
    expect(await own.take([taking('a', one)])).toEqual({ ok: false, rate: one, retryAfter: 60 })
    await expect(own.take([taking('b', one)])).rejects.toThrow()
    await expect(own.take([taking('b', one), taking('c')])).rejects.toThrow()
  })
})
