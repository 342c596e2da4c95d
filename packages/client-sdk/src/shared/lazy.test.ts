import { expect, test } from 'vitest'
import { lazy } from './lazy'

test('loads once, and returns its value once it is created', async () => {
  let loads = 0
  const value = lazy(
    async () => ++loads,
    (code) => `created ${code}`,
    () => new Error('not expected'),
  )
  expect([value.value, value.promise]).toEqual([undefined, undefined])
  expect(await Promise.all([value.get(), value.get()])).toEqual(['created 1', 'created 1'])
  expect(value.value).toBe('created 1')
})

test('rejects with its own error after a failure, and the next call loads again', async () => {
  const outcomes = [() => Promise.reject(new Error('offline')), async () => 'code']
  const value = lazy(
    () => outcomes.shift()?.() ?? Promise.reject(new Error('loaded too often')),
    (code) => code,
    (cause) => new Error('not loaded', { cause }),
  )
  await expect(value.get()).rejects.toMatchObject({ message: 'not loaded', cause: { message: 'offline' } })
  expect(await value.get()).toBe('code')
  expect(await value.get()).toBe('code')
})

test('after a failed creation the next call creates the value again', async () => {
  let created = 0
  const destroyed = new Error('destroyed')
  const value = lazy(
    async () => 'code',
    (code) => {
      if (++created === 1) throw destroyed
      return code
    },
    () => new Error('not expected'),
  )
  await expect(value.get()).rejects.toBe(destroyed)
  expect([value.value, value.promise]).toEqual([undefined, undefined])
  expect(await Promise.all([value.get(), value.get()])).toEqual(['code', 'code'])
  expect(created).toBe(2)
})
