import { describe, expect, it } from 'vitest'
import { isWithinBudget } from './budget'

function sparse(length: number): unknown[] {
  const list: unknown[] = []
  list[length - 1] = 1
  return list
}

describe('isWithinBudget', () => {
  it('accepts a dense list up to the limit', () => {
    expect(isWithinBudget(Array.from({ length: 99_999 }, () => 0))).toBe(true)
    expect(isWithinBudget(Array.from({ length: 100_001 }, () => 0))).toBe(false)
  })

  it('counts the holes of sparse arrays, singly and in total', () => {
    expect(isWithinBudget(sparse(1_000))).toBe(true)
    expect(isWithinBudget(sparse(4_000_000_000))).toBe(false)
    expect(isWithinBudget(Array.from({ length: 200 }, () => sparse(1_000)))).toBe(false)
  })
})
