import { describe, expect, it } from 'vitest'
import { closes } from './sheet-drag'

describe('closes', () => {
  it.each([
    [{ distance: 200, speed: 0 }, true],
    [{ distance: 20, speed: 1 }, true],
    [{ distance: 20, speed: 0.1 }, false],
    [{ distance: -50, speed: 2 }, false],
    [{ distance: 0, speed: 2 }, false],
  ])('%o: %s', (release, expected) => {
    expect(closes(release)).toBe(expected)
  })
})
