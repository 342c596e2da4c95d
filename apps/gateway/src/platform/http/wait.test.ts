import { expect, test } from 'vitest'
import { waitFor } from './wait'

const never = new AbortController().signal
const still = { interval: 1, clock: () => 0 }

test('resolves at the first result', async () => {
  const answers = [null, null, 'now', 'later']
  const ask = async () => answers.shift() ?? null
  expect(await waitFor(ask, { ...still, timeout: 10_000, signal: never })).toBe('now')
  expect(answers).toEqual(['later'])
})

test('resolves to null at the timeout, by the given clock', async () => {
  let at = 0
  const clock = () => at
  const ask = async () => {
    at += 10
    return null
  }
  expect(await waitFor(ask, { timeout: 100, interval: 0, signal: never, clock })).toBeNull()
  expect(at).toBe(110)
})

test('stops polling after an abort', async () => {
  const stopping = new AbortController()
  let calls = 0
  const ask = async () => {
    calls += 1
    stopping.abort()
    return null
  }
  expect(await waitFor(ask, { ...still, interval: 60_000, timeout: 600_000, signal: stopping.signal })).toBeNull()
  expect(calls).toBe(1)
})

test('rejects if the callback rejects', async () => {
  const ask = () => Promise.reject(new Error('no'))
  await expect(waitFor(ask, { ...still, timeout: 10, signal: never })).rejects.toThrow('no')
})
