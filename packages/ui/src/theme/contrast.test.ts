import { expect, it } from 'vitest'
import { contrast, mixed } from './contrast'

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#000000', 21],
  ['#777777', '#ffffff', 4.48],
  ['#0d7565', '#0d7565', 1],
])('the contrast of %s and %s is %d', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2)
})

it.each([
  ['#ff0000', 0, '#ffffff', '#ffffff'],
  ['#ff0000', 50, '#ffffff', '#ff8080'],
  ['#0000ff', 10, '#141816', '#12162d'],
])('%s at %d percent in %s is %s', (mix, percent, base, result) => {
  expect(mixed(mix, percent, base)).toBe(result)
})
