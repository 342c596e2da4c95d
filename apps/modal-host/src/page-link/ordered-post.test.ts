import type { Envelope, ErrorCode } from '@postern/protocol'
import { fixes } from '@postern/protocol/errors/fixes'
import { describe, expect, test } from 'vitest'
import { createOrderedPost, fixesTimeoutMs } from './ordered-post'

const failed = (id: string, code: ErrorCode = 'USER_REJECTED'): Envelope => ({
  ...{ v: 1, id, kind: 'error' },
  error: { code, message: 'm' },
})
const result = (id: string, value: unknown = null): Envelope => ({ v: 1, id, kind: 'result', result: value })

function setUp() {
  const posted: Envelope[] = []
  const timers = new Map<() => void, number>()
  const loads: { resolve: () => void; reject: (error: Error) => void }[] = []
  const ordered = createOrderedPost({
    post: (message) => void posted.push(message),
    loadFixes: () =>
      new Promise((resolve, reject) => {
        loads.push({ resolve: () => resolve({ fixes }), reject })
      }),
    clock: {
      after(delay, callback) {
        timers.set(callback, delay)
        return () => timers.delete(callback)
      },
    },
  })
  const ids = () => posted.map(({ id }) => id)
  const fixOf = (id: string) => {
    const message = posted.find((each) => each.id === id)
    return message?.kind === 'error' ? message.error.fix : undefined
  }
  return { ...ordered, posted, timers, loads, ids, fixOf }
}
const turn = () => new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(resolve)))

describe('1. order', () => {
  test('without an error nothing waits or loads', () => {
    const { post, ids, loads } = setUp()
    post(result('1'))
    expect([ids(), loads.length]).toEqual([['1'], 0])
  })

  test('what comes after the first error waits with it, and keeps its order', async () => {
    const { post, ids, loads, fixOf, timers } = setUp()
    for (const message of [result('1'), failed('2'), result('3'), failed('4', 'TIMEOUT'), result('5')]) post(message)
    expect(ids()).toEqual(['1'])
    loads[0]?.resolve()
    await turn()
    expect(ids()).toEqual(['1', '2', '3', '4', '5'])
    expect([fixOf('2'), fixOf('4')]).toEqual([fixes.USER_REJECTED, fixes.TIMEOUT])
    expect([loads.length, timers.size]).toEqual([1, 0])
  })

  test('later errors go at once', async () => {
    const { post, loads, fixOf } = setUp()
    post(failed('1'))
    loads[0]?.resolve()
    await turn()
    post(failed('2', 'INTERNAL'))
    expect(fixOf('2')).toBe(fixes.INTERNAL)
  })

  test('a code that the catalogue does not have goes as it is', async () => {
    const { post, loads, posted } = setUp()
    const foreign: Envelope = { v: 1, id: '1', kind: 'error', error: { code: 'constructor', message: 'm' } }
    post(foreign)
    loads[0]?.resolve()
    await turn()
    expect(posted).toEqual([foreign])
  })
})

describe('2. code that does not arrive', () => {
  test('a failed load sends the error without its fix, and the next error loads again', async () => {
    const { post, loads, ids, fixOf } = setUp()
    post(failed('1'))
    post(result('2'))
    loads[0]?.reject(new Error('offline'))
    await turn()
    expect([ids(), fixOf('1')]).toEqual([['1', '2'], undefined])
    post(failed('3'))
    expect(loads.length).toBe(2)
  })

  test('a slow load holds nothing for longer than a second, and serves the errors after it', async () => {
    const { post, loads, ids, fixOf, timers } = setUp()
    post(failed('1'))
    const [[elapse, delay] = []] = timers
    expect(delay).toBe(fixesTimeoutMs)
    elapse?.()
    expect([ids(), fixOf('1')]).toEqual([['1'], undefined])
    loads[0]?.resolve()
    await turn()
    expect(ids()).toEqual(['1'])
    post(failed('2'))
    expect(fixOf('2')).toBe(fixes.USER_REJECTED)
  })
})

test('3. a message that cannot be cloned throws at once, also while others wait', () => {
  const { post, ids, flush } = setUp()
  post(failed('1'))
  expect(() => post(result('2', () => {}))).toThrow(DOMException)
  flush()
  expect(ids()).toEqual(['1'])
})

test('4. the end loses nothing', () => {
  const { post, flush, ids } = setUp()
  post(failed('1'))
  post(result('2'))
  flush()
  expect(ids()).toEqual(['1', '2'])
})
