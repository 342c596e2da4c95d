import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../testing/databases'
import type { Database } from '../db/open'
import type { Limiter, Rate, Taking } from './limiter'
import { createMemoryLimiter } from './memory'
import { createPostgresLimiter } from './postgres'
import { createSharedLimiter } from './replicas'

type Open = (now: () => number) => Limiter
type Store = { readonly kind: string; open(): Promise<{ create: Open; close?: () => Promise<void> }> }

const stores: readonly Store[] = [
  { kind: 'in memory', open: async () => ({ create: (now) => createMemoryLimiter({ now }) }) },
  {
    kind: 'in memory, with an exchange that fails',
    open: async () => ({
      create: (now) => createSharedLimiter(createMemoryLimiter({ now }), () => Promise.reject(new Error('away'))),
    }),
  },
  ...databases.map(({ kind, open }) => ({
    kind: `on ${kind}`,
    async open() {
      const database: Database = await open()
      const create: Open = (now) => createPostgresLimiter({ orm: database.orm, hash: (text) => text, now })
      return { create, close: () => database.close() }
    },
  })),
]

const rate: Rate = { name: 'tries', burst: 5, every: 60_000 }
const one: Rate = { name: 'one', burst: 1, every: 60_000 }

describe.each(stores)('limits $kind', ({ open }) => {
  let store: Awaited<ReturnType<Store['open']>>
  let limiter: Limiter
  let at: number
  /** Of the test: databases forget no key. */
  let tests = 0
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close?.())
  beforeEach(() => {
    at = 1_800_000_000_000
    tests += 1
    limiter = store.create(() => at)
  })

  const taking = (who: string, of: Rate = rate, cost?: number): Taking => ({
    rate: of,
    who: `${who} ${tests}`,
    ...(cost !== undefined && { cost }),
  })
  const take = async (...takings: readonly Taking[]) => limiter.take(takings)

  test('1. allow the burst, then one try per interval', async () => {
    for (let count = 0; count < 5; count += 1) expect(await take(taking('a'))).toEqual({ ok: true })
    expect(await take(taking('a'))).toEqual({ ok: false, rate, retryAfter: 60 })
    at += 59_001
    expect(await take(taking('a'))).toEqual({ ok: false, rate, retryAfter: 1 })
    at += 999
    expect(await take(taking('a'))).toEqual({ ok: true })
    expect((await take(taking('a'))).ok).toBe(false)
    expect(await take(taking('b'))).toEqual({ ok: true })
  })

  test('1. 2. never allow more than the burst plus the regained tries, and pass after the retry time', async () => {
    const small: Rate = { name: 'small', burst: 5, every: 10_000 }
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pause: fc.nat(30_000), cost: fc.integer({ min: 1, max: 7 }) }), { maxLength: 25 }),
        async (tries) => {
          run += 1
          const passed: { readonly at: number; readonly cost: number }[] = []
          for (const { pause, cost } of tries) {
            at += pause
            let taken = await take(taking(`run ${run}`, small, cost))
            if (!taken.ok && cost <= small.burst) {
              at += taken.retryAfter * 1_000
              taken = await take(taking(`run ${run}`, small, cost))
              expect(taken).toEqual({ ok: true })
            }
            if (taken.ok) passed.push({ at, cost })
          }
          for (const [index, { at: from }] of passed.entries()) {
            let spent = 0
            for (const { at: until, cost } of passed.slice(index)) {
              spent += cost
              expect(spent).toBeLessThanOrEqual(small.burst + (until - from) / small.every + 1e-6)
            }
          }
        },
      ),
      { numRuns: 10 },
    )
  })

  test('2. a refused cost costs nothing, and its retry time is exact', async () => {
    const calls: Rate = { name: 'calls', burst: 10, every: 1_000 }
    await take(taking('a', calls, 8))
    expect(await take(taking('a', calls, 6))).toEqual({ ok: false, rate: calls, retryAfter: 4 })
    expect(await take(taking('a', calls, 2))).toEqual({ ok: true })
    expect(await take(taking('a', calls, 1))).toEqual({ ok: false, rate: calls, retryAfter: 1 })
    expect(await take(taking('a', calls, 3))).toEqual({ ok: false, rate: calls, retryAfter: 3 })
    at += 2_999
    expect(await take(taking('a', calls, 3))).toEqual({ ok: false, rate: calls, retryAfter: 1 })
    at += 1
    expect(await take(taking('a', calls, 3))).toEqual({ ok: true })
  })

  test('2. a cost above the burst never passes, also for a new key', async () => {
    expect(await take(taking('a', rate, 6))).toEqual({ ok: false, rate, retryAfter: 1 })
    at += 1_000_000_000
    expect((await take(taking('a', rate, 6))).ok).toBe(false)
    expect(await take(taking('a', rate, 5))).toEqual({ ok: true })
  })

  test('3. a refusal by one rate uses up no tries of the others', async () => {
    expect((await take(taking('narrow', one), taking('wide'))).ok).toBe(true)
    for (let count = 0; count < 10; count += 1) {
      expect(await take(taking('narrow', one), taking('wide'))).toMatchObject({ ok: false, rate: one })
      expect(await take(taking('other narrow'), taking('narrow', one))).toMatchObject({ ok: false, rate: one })
    }
    for (let count = 0; count < 4; count += 1) expect((await take(taking('wide'))).ok).toBe(true)
    for (let count = 0; count < 5; count += 1) expect((await take(taking('other narrow'))).ok).toBe(true)
  })

  test('4. allow five of fifty concurrent tries', async () => {
    const taken = await Promise.all(Array.from({ length: 50 }, () => take(taking('a'))))
    expect(taken.filter(({ ok }) => ok)).toHaveLength(5)
  })

  test('5. a key has each rate for itself', async () => {
    await take(taking('a', rate, 5))
    expect((await take(taking('a'))).ok).toBe(false)
    expect((await take(taking('a', one))).ok).toBe(true)
    expect((await take(taking('b', rate, 5))).ok).toBe(true)
  })

  test('6. a clock that goes back makes spent keys wait for as long, and no others', async () => {
    await take(taking('spent', rate, 4))
    at -= 600_000
    expect(await take(taking('spent'))).toEqual({ ok: false, rate, retryAfter: 600 })
    expect(await take(taking('new', rate, 5))).toEqual({ ok: true })
    at += 600_000
    expect(await take(taking('spent'))).toEqual({ ok: true })
  })
})
