import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../db/open'
import { rateLimits } from '../db/schema'
import { createRateLimit, type RateLimit } from '../http/rate-limit'
import { databases } from '../testing/databases'
import { createExchange } from './shared-rate'

const burst = 200

describe.each(databases)('replicas on $kind', ({ open }) => {
  let database: Database
  let at: number
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    at = 1_800_000_000_000
    await database.orm.delete(rateLimits)
  })

  // Each test has keys of its own: a replica of an earlier test may still hand in a row.

  /** @param aheadMs of its clock, compared with the database's. */
  function replica(orm: Database['orm'] = database.orm, aheadMs = 0): RateLimit {
    const rate = { perSecond: 2, burst }
    const databaseNow = () => sql`${at}::bigint`
    const exchange = createExchange({ ...rate, name: 'calls', orm, hash: (text) => `hash of ${text}`, databaseNow })
    return createRateLimit({ ...rate, now: () => at + aheadMs, exchange })
  }

  /** Takes one token at a time from each in turn until all refuse. */
  async function drain(replicas: readonly RateLimit[], key: string): Promise<number> {
    let passed = 0
    for (let count = 0; count < 3 * burst; count += 1) {
      const taken = replicas.map((one) => one.take(key, 1).ok)
      if (!taken.includes(true)) break
      passed += taken.filter(Boolean).length
      await pause(2)
    }
    return passed
  }

  test('allow a burst once, and repay what passes between two exchanges', async () => {
    const replicas = [replica(), replica()]
    const passed = await drain(replicas, 'a')
    expect(passed).toBeGreaterThanOrEqual(burst)
    expect(passed).toBeLessThanOrEqual(burst * 1.25)
    expect(replicas[0]?.take('b', burst).ok).toBe(true)

    await vi.waitFor(async () => expect((await database.orm.select().from(rateLimits)).length).toBe(2))
    at += ((passed - burst + 20) / 2) * 1_000
    const more = await drain(replicas, 'a')
    expect(more).toBeGreaterThanOrEqual(20)
    expect(more).toBeLessThanOrEqual(40)
  })

  test('a replica that starts later counts what the others took', async () => {
    await drain([replica(), replica()], 'shared')
    const late = replica()
    expect(late.take('shared', 1).ok).toBe(true)
    await vi.waitFor(() => expect(late.take('shared', burst / 2).ok).toBe(false), { timeout: 2_000 })
    expect(late.take('other', burst).ok).toBe(true)
  })

  test.each([3_600_000, -3_600_000])('count alike if the clock of one differs by %d ms', async (aheadMs) => {
    const replicas = [replica(), replica(database.orm, aheadMs)]
    const passed = await drain(replicas, `ahead by ${aheadMs}`)
    expect(passed).toBeGreaterThanOrEqual(burst)
    expect(passed).toBeLessThanOrEqual(burst * 1.25)
  })

  test('exchange more keys than fit into one statement', async () => {
    const one = replica()
    for (let key = 0; key < 2_500; key += 1) one.take(`key ${key}`, 10)
    const stored = async () => (await database.orm.select().from(rateLimits)).length
    await vi.waitFor(async () => expect(await stored()).toBeGreaterThanOrEqual(2_500), { timeout: 5_000 })
    const two = replica()
    two.take('key 2400', 10)
    await vi.waitFor(() => expect(two.take('key 2400', burst - 10).ok).toBe(false), { timeout: 2_000 })
  })

  test('count alone while the database fails', async () => {
    const orm = new Proxy(database.orm, {
      get(target, name, receiver) {
        if (name === 'insert') throw new Error('no connection')
        return Reflect.get(target, name, receiver)
      },
    })
    expect(await drain([replica(orm)], 'alone')).toBe(burst)
  })
})
