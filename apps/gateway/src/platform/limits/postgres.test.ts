import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../testing/databases'
import type { Database } from '../db/open'
import { rateLimits } from '../db/schema'
import { createLimits, type Limits, type Rate } from './postgres'

const rate: Rate = { name: 'tries', burst: 5, every: 60_000 }
const taking = (who: string, of: Rate = rate) => ({ rate: of, who })

describe.each(databases)('limits on $kind', ({ open }) => {
  let database: Database
  let limits: Limits
  let at: number
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    at = 1_800_000_000_000
    await database.orm.delete(rateLimits)
    limits = createLimits({ orm: database.orm, hash: (text) => `hash of ${text}`, now: () => at })
  })

  test('1. allows the burst, then one try per interval', async () => {
    for (let count = 0; count < 5; count += 1) expect(await limits.take([taking('a')])).toEqual({ ok: true })
    expect(await limits.take([taking('a')])).toEqual({ ok: false, rate, retryAfter: 60 })
    at += 59_001
    expect(await limits.take([taking('a')])).toEqual({ ok: false, rate, retryAfter: 1 })
    at += 999
    expect(await limits.take([taking('a')])).toEqual({ ok: true })
    expect((await limits.take([taking('a')])).ok).toBe(false)
    expect(await limits.take([taking('b')])).toEqual({ ok: true })
  })

  test('1. never allows more than the burst plus the regained tries, in any time window', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 25 }), async (pauses) => {
        run += 1
        const passed: number[] = []
        for (const pause of pauses) {
          at += pause
          if ((await limits.take([taking(`run ${run}`, { name: 'x', burst: 3, every: 10_000 })])).ok) passed.push(at)
        }
        for (const [index, from] of passed.entries()) {
          for (let count = index; count < passed.length; count += 1) {
            const within = (passed[count] ?? from) - from
            expect(count - index + 1).toBeLessThanOrEqual(3 + within / 10_000)
          }
        }
      }),
      { numRuns: 10 },
    )
  })

  test('2. allows five of fifty concurrent tries', async () => {
    const taken = await Promise.all(Array.from({ length: 50 }, () => limits.take([taking('a')])))
    expect(taken.filter(({ ok }) => ok)).toHaveLength(5)
  })

  test('3. a refusal by one rate uses up no tries of the others', async () => {
    const one: Rate = { name: 'one', burst: 1, every: 60_000 }
    expect((await limits.take([taking('narrow', one), taking('wide')])).ok).toBe(true)
    for (let count = 0; count < 10; count += 1) {
      expect(await limits.take([taking('narrow', one), taking('wide')])).toMatchObject({ ok: false, rate: one })
      expect(await limits.take([taking('other narrow'), taking('narrow', one)])).toMatchObject({ ok: false, rate: one })
    }
    for (let count = 0; count < 4; count += 1) expect((await limits.take([taking('wide')])).ok).toBe(true)
    expect((await limits.take([taking('other narrow')])).ok).toBe(true)
  })

  test('4. stores no plain key, and deletes rows that have all tries back', async () => {
    await limits.take([taking('a@example.com')])
    const hashed = createLimits({ orm: database.orm, hash: () => 'abc', now: () => at })
    await hashed.take([taking('a@example.com')])
    expect((await database.orm.select().from(rateLimits)).map(({ key }) => key)).toContain('abc')
    at += 60_001
    await limits.sweep()
    expect(await database.orm.select().from(rateLimits)).toEqual([])
  })

  test('5. repeats a refusal without the database, then asks the database again', async () => {
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
  test('a clock that goes back makes spent keys wait for as long, and no others', async () => {
    for (let count = 0; count < 4; count += 1) await limits.take([taking('spent')])
    at -= 600_000
    expect(await limits.take([taking('spent')])).toEqual({ ok: false, rate, retryAfter: 600 })
    expect(await limits.take([taking('new')])).toEqual({ ok: true })
    at += 600_000
    expect(await limits.take([taking('spent')])).toEqual({ ok: true })
  })

  test('without the database a take fails, and a remembered refusal is repeated', async () => {
    const one: Rate = { name: 'one', burst: 1, every: 60_000 }
    const { proxy, revoke } = Proxy.revocable(database.orm, {})
    const own = createLimits({ orm: proxy, hash: (text) => text, now: () => at })
    await own.take([taking('a', one)])
    await own.take([taking('a', one)])
    revoke()
    expect(await own.take([taking('a', one)])).toEqual({ ok: false, rate: one, retryAfter: 60 })
    await expect(own.take([taking('b', one)])).rejects.toThrow()
    await expect(own.take([taking('b', one), taking('c')])).rejects.toThrow()
  })
})
