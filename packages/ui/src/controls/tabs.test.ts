import { describe, expect, it } from 'vitest'
import { nextTab } from './tabs'

describe('nextTab', () => {
  it.each([
    ['ArrowRight', 0, 3, false, 1],
    ['ArrowRight', 2, 3, false, 0],
    ['ArrowLeft', 0, 3, false, 2],
    ['ArrowLeft', 0, 3, true, 1],
    ['ArrowRight', 0, 3, true, 2],
    ['Home', 2, 3, false, 0],
    ['End', 0, 3, true, 2],
    ['ArrowDown', 0, 3, false, null],
    ['End', 0, 0, false, null],
  ])('%s from %i of %i (right to left: %s): %s', (key, index, count, isRightToLeft, expected) => {
    expect(nextTab(key, index, count, isRightToLeft)).toBe(expected)
  })
})
