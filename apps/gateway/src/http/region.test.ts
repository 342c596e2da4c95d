import { expect, test } from 'vitest'
import { regionName } from './region'

test.each([
  ['DE', 'Germany'],
  ['US', 'United States'],
  ['XX', null],
  ['ZZ', null],
  ['T1', null],
  ['de', null],
  ['DE, US', null],
  ['Your bank', null],
  ['', null],
  [undefined, null],
])('%s', (code, name) => {
  expect(regionName(code)).toBe(name)
})
