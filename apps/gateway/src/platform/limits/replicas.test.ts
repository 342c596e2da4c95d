import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { databases, openTestDatabase } from '../../testing/databases'
import { meet } from '../../testing/deadlock'
import type { Database } from '../db/open'
import { rateLimits } from '../db/schema'
import type { Rate } from './limiter'
import { createMemoryLimiter } from './memory'
import { createPostgresLimiter } from './postgres'
import { createExchange, createSharedLimiter } from './replicas'

const burst = 200
const rate: Rate = { name: 'calls', burst, every: 500 }

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

  const exchanges = new Set<Promise<unknown>>()

  /** @param aheadMs of its clock, compared with the database's. */
  function replica(orm: Database['orm'] = database.orm, aheadMs = 0) {
    const databaseNow = () => sql`${at}::bigint`
    const exchange = createExchange({ orm, hash: (text) => `hash of ${text}`, databaseNow })
    const limiter = createSharedLimiter(createMemoryLimiter({ now: () => at + aheadMs }), (...exchanged) => {
      const running = exchange(...exchanged)
      exchanges.add(running)
      const end = () => exchanges.delete(running)
      running.then(end, end)
      return running
    })
    return { limiter, take: (who: string, cost: number) => limiter.take([{ rate, who, cost }]) }
  }

  /** Takes one token at a time from each in turn until all refuse. An exchange takes as long as three turns. */
  async function drain(replicas: readonly ReturnType<typeof replica>[], key: string): Promise<number> {
    let passed = 0
    let turns = 0
    for (let count = 0; count < 3 * burst; count += 1) {
      const taken = replicas.map((one) => one.take(key, 1).ok)
      if (!taken.includes(true)) break
      passed += taken.filter(Boolean).length
      turns = exchanges.size === 0 ? 0 : turns + 1
      if (turns < 3) continue
      await Promise.allSettled(exchanges)
      turns = 0
    }
    return passed
  }

  test('allow a burst once, and repay what passes between two exchanges', async () => {
    const replicas = [replica(), replica()]
    const passed = await drain(replicas, 'a')
    expect(passed).toBeGreaterThanOrEqual(burst)
    expect(passed).toBeLessThanOrEqual(burst * 1.25)
    expect(replicas[0]?.take('b', burst).ok).toBe(true)

    await expect.poll(async () => (await database.orm.select().from(rateLimits)).length).toBe(2)
    at += ((passed - burst + 20) / 2) * 1_000
    const more = await drain(replicas, 'a')
    expect(more).toBeGreaterThanOrEqual(20)
    expect(more).toBeLessThanOrEqual(40)
  })

  test('a replica that starts later counts what the others took', async () => {
    await drain([replica(), replica()], 'shared')
    const late = replica()
    expect(late.take('shared', 1).ok).toBe(true)
    await expect.poll(() => late.take('shared', burst / 2).ok).toBe(false)
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
    await expect.poll(stored).toBeGreaterThanOrEqual(2_500)
    const two = replica()
    two.take('key 2400', 10)
    await expect.poll(() => two.take('key 2400', burst - 10).ok).toBe(false)
  })

  /** A database that fails until `isUp`. */
  function outage() {
    const state = { isUp: false, failures: 0 }
    const orm = new Proxy(database.orm, {
      get(target, name, receiver) {
        if (name === 'insert' && !state.isUp) {
          state.failures += 1
          throw new Error('no connection')
        }
        return Reflect.get(target, name, receiver)
      },
    })
    return { state, orm }
  }
  const stored = async () => (await database.orm.select().from(rateLimits)).length

  test('what a key spends while an exchange fails counts afterwards', async () => {
    const { state, orm } = outage()
    const one = replica(orm)
    expect(one.take('through an outage', burst).ok).toBe(true)
    expect(state.failures).toBe(1)
    state.isUp = true
    at += rate.every
    expect(one.take('through an outage', 1).ok).toBe(true)
    await expect.poll(stored, { timeout: 5_000 }).toBe(1)
    await Promise.allSettled(exchanges)
    expect(await drain([one], 'through an outage')).toBeLessThanOrEqual(1)
    const late = replica()
    late.take('through an outage', 1)
    await expect.poll(() => late.take('through an outage', burst / 2).ok).toBe(false)
  })

  test('count alone while the database fails, and afterwards only what is not regained', async () => {
    const { state, orm } = outage()
    const one = replica(orm)
    expect(await drain([one], 'alone')).toBe(burst)
    at += rate.every * burst
    expect(await drain([one], 'alone')).toBe(burst)
    await expect.poll(() => state.failures, { timeout: 5_000 }).toBe(2)
    state.isUp = true
    await expect.poll(stored, { timeout: 5_000 }).toBe(1)
    await Promise.allSettled(exchanges)
    at += rate.every
    expect(await drain([one], 'alone')).toBe(1)
  })
})

test('an exchange and a sweep that meet in opposite orders both end', async () => {
  const database = await openTestDatabase()
  onTestFinished(() => database.close())
  const { orm } = database
  for (const [fullAt, key] of ['z', 'a', 'm'].entries()) await orm.insert(rateLimits).values({ key, fullAt })
  const exchange = createExchange({ orm, hash: (text) => text.slice(-1) })
  const limiter = createPostgresLimiter({ orm, hash: (text) => text, now: () => 0 })
  const costs = new Map(['z', 'a', 'm'].map((who) => [who, 1]))
  const row = { table: rateLimits, where: eq(rateLimits.key, 'm') }
  const ends = await meet(
    orm,
    row,
    () => exchange(rate, costs),
    () => limiter.sweep(),
  )
  expect(ends).toEqual(['fulfilled', 'fulfilled'])
})

describe('costs that wait for an exchange', () => {
  /** @param gate opens the exchange. */
  function shared(gate?: Promise<void>) {
    const exchanged = new Set<string>()
    const limiter = createSharedLimiter(createMemoryLimiter({ now: () => 0 }), async (_, costs) => {
      await gate
      for (const who of costs.keys()) exchanged.add(who)
      return new Map()
    })
    const takeKeys = (count: number, cost: number) => {
      for (let key = 0; key < count; key += 1) limiter.take([{ rate, who: `key ${key}`, cost }])
    }
    return { exchanged, takeKeys }
  }

  test('are bounded: those of the oldest keys are dropped', { timeout: 30_000 }, async () => {
    let open = () => {}
    const { exchanged, takeKeys } = shared(
      new Promise((resolve) => {
        open = resolve
      }),
    )
    takeKeys(60_000, 10)
    open()
    await expect.poll(() => exchanged.has('key 59999'), { timeout: 20_000 }).toBe(true)
    expect(exchanged.size).toBeGreaterThan(40_000)
    // The first key was in the exchange that did not answer.
    expect(exchanged.size).toBeLessThanOrEqual(50_001)
  })

  test('are exchanged at once while they fill a statement', async () => {
    const { exchanged, takeKeys } = shared()
    takeKeys(20_000, 1)
    await expect.poll(() => exchanged.size, { timeout: 2_000 }).toBe(20_000)
  })
})
