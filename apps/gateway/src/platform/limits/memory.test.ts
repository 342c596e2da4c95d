import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Rate } from './limiter'
import { createMemoryLimiter } from './memory'

function limiterAt(maxKeys?: number) {
  const clock = { now: 0 }
  const limiter = createMemoryLimiter({ now: () => clock.now, ...(maxKeys !== undefined && { maxKeys }) })
  const take = (rate: Rate, who: string, cost: number) => limiter.take([{ rate, who, cost }])
  return { clock, limiter, take }
}

const rate: Rate = { name: 'calls', burst: 2, every: 1_000 }

describe('createMemoryLimiter', () => {
  test('1. a flood of keys evicts only the least recently seen', () => {
    const { take } = limiterAt(10)
    take(rate, 'first', 2)
    for (let key = 0; key < 9; key++) take(rate, `key ${key}`, 2)
    take(rate, 'last', 2)
    expect(take(rate, 'last', 1).ok).toBe(false)
    expect(take(rate, 'first', 2).ok).toBe(true)
  })

  test('1. a flood of unused keys evicts no used one', () => {
    const { take } = limiterAt(10)
    take(rate, 'used', 2)
    for (let key = 0; key < 1_000; key++) take(rate, `key ${key}`, 3)
    expect(take(rate, 'used', 1).ok).toBe(false)
  })

  test('1. a refused key stays in memory, and keys with all tries back are evicted first', () => {
    const { clock, take } = limiterAt(10)
    take(rate, 'refused', 2)
    clock.now = 500
    for (let key = 0; key < 8; key++) take(rate, `key ${key}`, 2)
    for (let key = 8; key < 100; key++) {
      expect(take(rate, 'refused', 2).ok).toBe(false)
      take(rate, `key ${key}`, 2)
    }
    expect(take(rate, 'refused', 2).ok).toBe(false)
    clock.now = 2_000
    take(rate, 'refused', 2)
    take(rate, 'a', 2)
    clock.now = 3_900
    for (let key = 0; key < 100; key++) take(rate, `other ${key}`, 2)
    expect(take(rate, 'refused', 2).ok).toBe(true)
  })

  test('2. a flood of keys of one rate evicts none of another', () => {
    const { take } = limiterAt(10)
    const other: Rate = { name: 'wrong tokens', burst: 1, every: 1_000 }
    take(other, 'a', 1)
    for (let key = 0; key < 1_000; key++) take(rate, `key ${key}`, 2)
    expect(take(other, 'a', 1).ok).toBe(false)
  })

  test('allows a whole burst at an instant, whatever the rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 2_000 }), (perSecond, burst) => {
        const { clock, take } = limiterAt()
        clock.now = 1_800_000_000_123
        const odd: Rate = { name: 'odd', burst, every: 1_000 / perSecond }
        let passed = 0
        while (passed <= burst && take(odd, 'a', 1).ok) passed++
        expect(passed).toBe(burst)
      }),
      { numRuns: 30 },
    )
  })

  test('refuses a cost that is not a number, which uses up nothing', () => {
    const { take } = limiterAt()
    expect(take(rate, 'a', Number.NaN)).toEqual({ ok: false, rate, retryAfter: 1 })
    expect(take(rate, 'a', 2).ok).toBe(true)
    expect(take(rate, 'a', 1).ok).toBe(false)
  })

  test('tells and replaces the count of a key, above the burst too, and ignores evicted keys', () => {
    const { clock, limiter, take } = limiterAt()
    take(rate, 'a', 1)
    limiter.set({ rate, who: 'a' }, 5)
    expect(take(rate, 'a', 1)).toEqual({ ok: false, rate, retryAfter: 4 })
    clock.now = 1_500
    expect(limiter.used({ rate, who: 'a' })).toBe(3.5)
    clock.now = 4_000
    expect(take(rate, 'a', 1).ok).toBe(true)
    limiter.set({ rate, who: 'b' }, 5)
    expect(limiter.used({ rate, who: 'b' })).toBe(0)
    expect(take(rate, 'b', 2).ok).toBe(true)
  })
})
