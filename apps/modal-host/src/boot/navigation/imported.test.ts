import { expect, it } from 'vitest'
import { forgetFailures, imported } from './imported'

it('keeps a failure until it is forgotten, and a module for good', async () => {
  let asked = 0
  const code = imported(async () => {
    asked += 1
    if (asked === 1) throw new Error('offline')
    return asked
  })
  await expect(code.get()).rejects.toThrow('offline')
  await expect(code.get()).rejects.toThrow('offline')
  expect(code.now()).toBeNull()
  forgetFailures()
  await expect(code.get()).resolves.toBe(2)
  forgetFailures()
  await expect(code.get()).resolves.toBe(2)
  expect(code.now()).toBe(2)
})
