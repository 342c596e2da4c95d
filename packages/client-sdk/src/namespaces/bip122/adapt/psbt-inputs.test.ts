import { expect, test } from 'vitest'
import { readInputs } from './psbt-inputs'

const input = (sighashTypes?: unknown) => [{ index: 0, address: 'bc1q', sighashTypes }]

test.each([undefined, [], [0], [1, 0x83]])('accepts the signature hash types %j', (types) => {
  expect(readInputs(input(types))[0]?.sighashTypes).toEqual(types)
})

test.each([-1, 4, 0x80, 0x84, 1.5, '1', Number.NaN, null])(
  'rejects the signature hash type %j, which would be read as another one',
  (type) => {
    expect(() => readInputs(input([type]))).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }))
  },
)
