import { describe, expect, test } from 'vitest'
import { createRefusals } from './refusals'

function refusalsAt(options: { maxLifetime?: number; max?: number } = {}) {
  const clock = { now: 0 }
  return { clock, refusals: createRefusals({ ...options, now: () => clock.now }) }
}

describe('createRefusals', () => {
  test('1. a refusal ends at its time', () => {
    const { clock, refusals } = refusalsAt()
    refusals.add('a', 3_000)
    clock.now = 2_999
    expect(refusals.of('a')).toBe(1)
    clock.now = 3_000
    expect(refusals.of('a')).toBeNull()
  })

  test('1. a long refusal is forgotten early, so that the database is asked again', () => {
    const { clock, refusals } = refusalsAt({ maxLifetime: 5_000 })
    refusals.add('a', 60_000)
    clock.now = 4_999
    expect(refusals.of('a')).toBe(55_001)
    clock.now = 5_000
    expect(refusals.of('a')).toBeNull()
  })

  test('returns the time left of the newest refusal', () => {
    const { clock, refusals } = refusalsAt()
    refusals.add('a', 60_000)
    expect(refusals.of('a')).toBe(60_000)
    clock.now = 1_000
    refusals.add('a', 4_500)
    expect(refusals.of('a')).toBe(4_500)
    expect(refusals.of('b')).toBeNull()
  })

  test('2. evicts the oldest first', () => {
    const { refusals } = refusalsAt({ max: 2 })
    for (const key of ['a', 'b', 'a', 'c']) refusals.add(key, 1_000)
    expect([refusals.of('a'), refusals.of('b'), refusals.of('c')]).toEqual([1_000, null, 1_000])
  })

  test('ignores a wait of zero, and forgets a refusal by key', () => {
    const { refusals } = refusalsAt()
    refusals.add('a', 0)
    refusals.add('b', 1_000)
    refusals.forget('b')
    expect([refusals.of('a'), refusals.of('b')]).toEqual([null, null])
  })
})
