import { expect, test } from 'vitest'
import { regionCode } from './region'

test.each([
  ['DE', 'DE'],
  ['US', 'US'],
  ['XX', null],
  ['ZZ', null],
  ['T1', null],
  ['de', null],
  ['DE, US', null],
  ['Your bank', null],
  ['', null],
  [undefined, null],
])('%s', (code, name) => {
  expect(regionCode(code)).toBe(name)
})
