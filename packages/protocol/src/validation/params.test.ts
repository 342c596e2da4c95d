import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parseObjectParams, parseParams } from './params'

const Transaction = z.tuple([z.object({ to: z.string(), value: z.string() })])

test('returns the parameters', () => {
  expect(parseParams(Transaction, [{ to: '0x1', value: '0x0' }])).toEqual([{ to: '0x1', value: '0x0' }])
})

test('names each wrong value by its path', () => {
  expect(() => parseParams(Transaction, [{ to: 7 }])).toThrow(
    expect.objectContaining({
      code: 'INVALID_PARAMS',
      rpc: -32602,
      message: 'Invalid method parameters: [0].to: Expected string, received number; [0].value: Required',
    }),
  )
})

test('names no more than four', () => {
  const wrong = () => parseParams(z.array(z.string()), [1, 2, 3, 4, 5])
  expect(wrong).toThrow(/\[3\]: Expected string, received number$/)
})

test('an object may be the only member of a list', () => {
  const Message = z.object({ message: z.string() })
  expect(parseObjectParams(Message, [{ message: 'hi' }])).toEqual({ message: 'hi' })
  expect(parseObjectParams(Message, { message: 'hi' })).toEqual({ message: 'hi' })
  expect(() => parseObjectParams(Message, [{}])).toThrow('Invalid method parameters: message: Required')
})
