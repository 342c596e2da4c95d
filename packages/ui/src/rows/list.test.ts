import { describe, expect, it } from 'vitest'
import { nextIndex } from './list'

describe('nextIndex', () => {
  it.each([
    ['ArrowDown', 0, 3, 1],
    ['ArrowDown', 2, 3, 2],
    ['ArrowUp', 2, 3, 1],
    ['ArrowUp', 0, 3, 0],
    ['Home', 2, 3, 0],
    ['End', 0, 3, 2],
    ['Tab', 0, 3, null],
    ['ArrowDown', -1, 3, null],
    ['End', 0, 0, null],
  ])('%s from %i of %i: %s', (key, index, count, expected) => {
    expect(nextIndex(key, index, count)).toBe(expected)
  })
})
