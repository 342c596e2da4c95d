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
