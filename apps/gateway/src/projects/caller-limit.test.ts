import { describe, expect, test } from 'vitest'
import { callLimit } from '../testing/call-limit'
import { takeCalls } from './caller-limit'

function setUp() {
  const { limiter, callRates } = callLimit({ perSecond: 1, burst: 4 }, () => 0, { perSecond: 1, burst: 10 })
  const take = (projectId: string, address: string, cost: number) =>
    takeCalls(limiter, callRates, { projectId, address }, cost)
  return { take, callRates }
}

describe('takeCalls', () => {
  test('many callers of one project do not affect another project', () => {
    const { take, callRates } = setUp()
    expect(['a', 'b'].map((address) => take('busy', address, 4).ok)).toEqual([true, true])
    expect(take('busy', 'c', 4)).toEqual({ ok: false, rate: callRates.project, retryAfter: 2 })
    expect(take('busy', 'd', 2).ok).toBe(true)
    expect(take('quiet', 'c', 4).ok).toBe(true)
  })

  test('the callers of one IPv6 /48 share eight times as much, those of another /48 have theirs', () => {
    const { limiter, callRates } = callLimit({ perSecond: 1, burst: 4 }, () => 0)
    const passed = (site: number) =>
      Array.from({ length: 20 }, (_, index) => `2001:db8:${site}:${index}::/64`).filter(
        (address) => takeCalls(limiter, callRates, { projectId: 'demo', address, budget: 'page' }, 4).ok,
      ).length
    expect(passed(1)).toBe(8)
    expect(passed(2)).toBe(8)
    const other = { projectId: 'demo', address: '2001:db8:1:99::/64' }
    expect(takeCalls(limiter, callRates, { ...other, budget: 'wallet' }, 4).ok).toBe(true)
    expect(takeCalls(limiter, callRates, { ...other, projectId: 'other', budget: 'page' }, 4).ok).toBe(true)
  })

  test('1. a caller over its own limit uses up nothing of its project’s', () => {
    const { take } = setUp()
    take('busy', 'a', 4)
    for (let time = 0; time < 100; time++) expect(take('busy', 'a', 4).ok).toBe(false)
    expect(take('busy', 'b', 4).ok).toBe(true)
  })

  test('2. a caller refused by its project’s limit still pays its own', () => {
    const { take, callRates } = setUp()
    for (const address of ['a', 'b']) take('busy', address, 4)
    expect(take('busy', 'c', 3)).toEqual({ ok: false, rate: callRates.project, retryAfter: 1 })
    expect(take('busy', 'c', 2)).toEqual({ ok: false, rate: callRates.caller, retryAfter: 1 })
    expect(take('busy', 'd', 2).ok).toBe(true)
  })
})
