import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callerKey, createRateLimit, withProjectLimit } from './memory'

function limitAt(options: { perSecond: number; burst: number; maxKeys?: number }) {
  const clock = { now: 0 }
  return { clock, limit: createRateLimit({ ...options, now: () => clock.now }) }
}

describe('createRateLimit', () => {
  test('1. a key can spend its burst at once, then only what it regains', () => {
    const { clock, limit } = limitAt({ perSecond: 2, burst: 10 })
    expect(limit.take('a', 10)).toEqual({ ok: true })
    expect(limit.take('a', 1)).toEqual({ ok: false, retryAfter: 1 })
    clock.now = 1_500
    expect(limit.take('a', 3)).toEqual({ ok: true })
    clock.now = 1_000_000
    expect(limit.take('a', 11).ok).toBe(false)
    expect(limit.take('a', 10).ok).toBe(true)
  })

  test('2. a refused request costs nothing, and its retry time is exact', () => {
    const { clock, limit } = limitAt({ perSecond: 1, burst: 10 })
    limit.take('a', 8)
    const refused = limit.take('a', 6)
    expect(refused).toEqual({ ok: false, retryAfter: 4 })
    clock.now = 3_999
    expect(limit.take('a', 6).ok).toBe(false)
    clock.now = 4_000
    expect(limit.take('a', 6).ok).toBe(true)
  })

  test('keys do not affect each other', () => {
    const { limit } = limitAt({ perSecond: 1, burst: 1 })
    expect([limit.take('a', 1).ok, limit.take('b', 1).ok, limit.take('a', 1).ok]).toEqual([true, true, false])
  })

  test('3. a flood of keys evicts only the least recently seen', () => {
    const { limit } = limitAt({ perSecond: 1, burst: 2, maxKeys: 10 })
    limit.take('first', 2)
    for (let key = 0; key < 9; key++) limit.take(`key ${key}`, 2)
    limit.take('last', 2)
    expect(limit.take('last', 1).ok).toBe(false)
    expect(limit.take('first', 2).ok).toBe(true)
  })

  test('3. a refused request keeps its key in memory, and full keys are evicted first', () => {
    const { clock, limit } = limitAt({ perSecond: 1, burst: 2, maxKeys: 10 })
    limit.take('refused', 2)
    clock.now = 500
    for (let key = 0; key < 8; key++) limit.take(`key ${key}`, 2)
    for (let key = 8; key < 100; key++) {
      expect(limit.take('refused', 2).ok).toBe(false)
      limit.take(`key ${key}`, 2)
    }
    expect(limit.take('refused', 2).ok).toBe(false)
  })

  test('a clock that goes back makes spent keys wait for as long, and no others', () => {
    const { clock, limit } = limitAt({ perSecond: 1, burst: 10 })
    clock.now = 100_000
    limit.take('spent', 4)
    clock.now = 40_000
    expect(limit.take('spent', 1)).toEqual({ ok: false, retryAfter: 55 })
    expect(limit.take('new', 10).ok).toBe(true)
    clock.now = 95_000
    expect(limit.take('spent', 1).ok).toBe(true)
  })

  test('no key ever exceeds its burst plus its rate', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ wait: fc.nat(3_000), cost: fc.integer({ min: 1, max: 8 }) }), { maxLength: 60 }),
        (requests) => {
          const { clock, limit } = limitAt({ perSecond: 2, burst: 5 })
          let spent = 0
          for (const { wait, cost } of requests) {
            clock.now += wait
            if (limit.take('a', cost).ok) spent += cost
            expect(spent).toBeLessThanOrEqual(5 + (clock.now / 1000) * 2 + 1e-6)
          }
        },
      ),
    )
  })
})

describe('withProjectLimit', () => {
  function setUp() {
    const [perCaller, perProject] = [limitAt({ perSecond: 1, burst: 4 }), limitAt({ perSecond: 1, burst: 10 })]
    const limit = withProjectLimit(perCaller.limit, perProject.limit)
    const take = (project: string, address: string, cost: number) => limit.take(callerKey(project, address), cost)
    return { take }
  }

  test('many callers of one project do not affect another project', () => {
    const { take } = setUp()
    expect(['a', 'b'].map((address) => take('busy', address, 4).ok)).toEqual([true, true])
    expect(take('busy', 'c', 4)).toEqual({ ok: false, retryAfter: 2 })
    expect(take('busy', 'd', 2).ok).toBe(true)
    expect(take('quiet', 'c', 4).ok).toBe(true)
  })

  test('1. a caller over its own limit uses up nothing of its project’s', () => {
    const { take } = setUp()
    take('busy', 'a', 4)
    for (let time = 0; time < 100; time++) expect(take('busy', 'a', 4).ok).toBe(false)
    expect(take('busy', 'b', 4).ok).toBe(true)
  })

  test('2. a caller refused by its project’s limit still pays its own', () => {
    const { take } = setUp()
    for (const address of ['a', 'b']) take('busy', address, 4)
    expect(take('busy', 'c', 3)).toEqual({ ok: false, retryAfter: 1 })
    expect(take('busy', 'c', 2)).toEqual({ ok: false, retryAfter: 1 })
    expect(take('busy', 'd', 2).ok).toBe(true)
  })
})
