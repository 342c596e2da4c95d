import { LinkError } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failure } from '../shared/errors'
import { plain, toLinkError } from './link-error'

describe('toLinkError', () => {
  test.each([
    [
      { code: 4001, message: 'no' },
      { code: 'USER_REJECTED', message: 'no', rpc: 4001 },
    ],
    [
      { code: -32002, message: 'wait' },
      { code: 'REQUEST_PENDING', message: 'wait', rpc: -32002 },
    ],
    [{ code: 4902 }, { code: 'CHAIN_NOT_ADDED', message: 'Internal error', rpc: 4902 }],
    [
      { code: -32000, message: 'gas', data: { a: 1 } },
      { code: 'INTERNAL', message: 'gas', rpc: -32000, data: { a: 1 } },
    ],
    [new Error('boom'), { code: 'INTERNAL', message: 'boom' }],
    ['text', { code: 'INTERNAL', message: 'text' }],
    [
      { code: 'ACTION_REJECTED', message: 'no' },
      { code: 'USER_REJECTED', message: 'no', rpc: 4001 },
    ],
    [undefined, { code: 'INTERNAL', message: 'Internal error' }],
    [failure('DISCONNECTED'), { code: 'DISCONNECTED', message: failure('DISCONNECTED').message, rpc: 4900 }],
  ])('%o', (thrown, expected) => {
    expect(toLinkError(thrown)).toEqual(expected)
  })

  test('never throws and always returns data that may cross the link, for any thrown value', () => {
    const hostile = fc.oneof(
      fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }),
      fc.record({ code: fc.anything(), message: fc.anything(), data: fc.anything({ withBigInt: true }) }),
    )
    fc.assert(fc.property(hostile, expectSendable))
  })

  test.each([0, 1, 2])('does not throw for an object with throwing getters (%i)', (index) => {
    expectSendable(traps()[index])
  })
})

function expectSendable(thrown: unknown): void {
  const error = toLinkError(thrown)
  expect(LinkError.safeParse(error).success).toBe(true)
  expect(() => structuredClone(error)).not.toThrow()
}

describe('plain', () => {
  test('keeps JSON and turns everything else into null', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(plain({ a: ['0x1', 2, null] })).toEqual({ a: ['0x1', 2, null] })
    for (const value of [undefined, () => 1, circle, 1n, Symbol('s')]) expect(plain(value)).toBeNull()
  })
})

function traps(): object[] {
  const thrower = () => {
    throw new Error('touched')
  }
  const getters = Object.defineProperties(
    {},
    { code: { get: thrower }, message: { get: thrower }, data: { get: thrower } },
  )
  const proxy = new Proxy({}, { get: thrower, has: thrower, getPrototypeOf: thrower, ownKeys: thrower })
  return [getters, proxy, { code: 4001, message: 'm', data: { toJSON: thrower } }]
}
