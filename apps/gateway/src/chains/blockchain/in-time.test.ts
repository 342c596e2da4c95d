import { expect, test } from 'vitest'
import { inTime } from './in-time'

test('returns a timely result, and the fallback otherwise', async () => {
  expect(await inTime(Promise.resolve('now'), 'otherwise', 60_000)).toBe('now')
  expect(await inTime(new Promise(() => {}), 'otherwise', 1)).toBe('otherwise')
  await expect(inTime(Promise.reject(new Error('no')), 'otherwise', 60_000)).rejects.toThrow('no')
})
