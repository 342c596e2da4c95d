import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBase58, fromBase64, fromHex, sighashName, sighashType, toBase58, toBase64, toHex } from './bytes'

const bytes = fc.uint8Array({ maxLength: 80 })

describe('base58', () => {
  // From the Bitcoin Core repository, base58_encode_decode.json.
  test.each([
    ['', ''],
    ['61', '2g'],
    ['626262', 'a3gV'],
    ['73696d706c792061206c6f6e6720737472696e67', '2cFupjhnEsSn59qHXstmK2ffpLv2'],
    ['00eb15231dfceb60925886b67d065299925915aeb172c06647', '1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L'],
    ['516b6fcd0f', 'ABnLTmg'],
    ['00000000000000000000', '1111111111'],
  ])('encodes %s as %s', (hex, text) => {
    expect(toBase58(fromHex(hex))).toBe(text)
    expect(toHex(fromBase58(text))).toBe(hex)
  })

  test('round-trips any bytes, including leading zeros', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        expect(fromBase58(toBase58(value))).toEqual(value)
      }),
    )
  })

  test.each([['0'], ['O'], ['I'], ['l'], ['a b'], ['é'], [undefined], [7]])('rejects %s', (text) => {
    expect(() => fromBase58(text)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }))
  })
})

test('base64 and hex match the platform’s', () => {
  fc.assert(
    fc.property(bytes, (value) => {
      expect(toBase64(value)).toBe(Buffer.from(value).toString('base64'))
      expect(fromBase64(toBase64(value))).toEqual(value)
      expect(toHex(value)).toBe(Buffer.from(value).toString('hex'))
      expect(fromHex(toHex(value))).toEqual(value)
    }),
  )
  for (const text of ['*', 'a', undefined])
    expect(() => fromBase64(text)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }))
})

test.each([
  [1, 'ALL'],
  [2, 'NONE'],
  [3, 'SINGLE'],
  [0x81, 'ALL|ANYONECANPAY'],
  [0x83, 'SINGLE|ANYONECANPAY'],
])('signature hash type %i is %s', (type, name) => {
  expect([sighashName(type), sighashType(name)]).toEqual([name, type])
})

test.each(['', 'all', 'ANYONECANPAY', 'FOO|ANYONECANPAY', 'ALL|', '|ANYONECANPAY'])(
  '%j is not a signature hash type',
  (name) => {
    expect(() => sighashType(name)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }))
  },
)
