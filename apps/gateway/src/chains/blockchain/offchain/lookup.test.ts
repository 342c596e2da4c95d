import fc from 'fast-check'
import {
  type Address,
  concat,
  decodeAbiParameters,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  parseAbiParameters,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { callbackOf, readBatch, readLookup, writeBatch } from './lookup'
import { abi, lookupOf, contract as sender } from './testing/lookups'

const lookup = (urls: readonly string[], data?: Hex, extraData?: Hex): Hex =>
  lookupOf(urls, { ...(data && { data }), ...(extraData && { extraData }) })
type Query = { readonly sender: Address; readonly urls: readonly string[]; readonly data: Hex }
const batch = (queries: readonly Query[]) => encodeFunctionData({ abi, functionName: 'query', args: [queries] })
const words = (...values: readonly (number | bigint)[]) => concat(values.map((value) => pad(numberToHex(value))))
const hex = fc.uint8Array({ maxLength: 200 }).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)

describe('a lookup', () => {
  test('decodes what was encoded', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }), hex, hex, (urls, data, extraData) => {
        expect(readLookup(lookup(urls, data, extraData))).toEqual({
          sender,
          urls,
          data,
          callback: '0xcafebabe',
          extraData,
        })
      }),
    )
  })

  test('1 has at most four URLs, without those that are too long', () => {
    const urls = ['https://1', `https://${'2'.repeat(2_048)}`, 'https://3', 'https://4', 'https://5']
    expect(readLookup(lookup(urls))?.urls).toEqual(['https://1', 'https://3', 'https://4'])
  })

  test('1 is rejected with megabytes of URLs', () => {
    expect(readLookup(lookup(Array.from({ length: 200 }, () => `https://${'x'.repeat(10_000)}`)))).toBeNull()
    expect(readLookup(lookup([], `0x${'00'.repeat(70_000)}`))).toBeNull()
  })

  test('1 with thousands of pointers to the same bytes costs no more than others', () => {
    const long = Buffer.from('x'.repeat(2_000)).toString('hex')
    const count = 1_900
    const list = concat([
      words(count),
      ...Array.from({ length: count }, () => words(count * 32)),
      words(2_000),
      `0x${long}`,
    ])
    const bomb = concat(['0x556f1830', words(BigInt(sender), 5 * 32, 4 * 32, 0, 4 * 32), list])
    expect(readLookup(bomb)?.urls).toHaveLength(4)
  })

  test('1 is rejected if it is truncated, points outside or is another error', () => {
    const whole = lookup(['https://1'])
    for (let length = 0; length < whole.length - 64; length += 2) {
      const cut: Hex = `0x${whole.slice(2, length)}`
      expect(readLookup(cut)).toBeNull()
    }
    const far = (1n << 256n) - 1n
    expect(readLookup(concat(['0x556f1830', words(BigInt(sender), far, far, far, far)]))).toBeNull()
    expect(readLookup(concat(['0x08c379a0', words(32, 0)]))).toBeNull()
  })

  test('arbitrary bytes never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        const data: Hex = `0x${Buffer.from(bytes).toString('hex')}`
        readLookup(concat(['0x556f1830', data]))
        readBatch(concat(['0xa780bab6', data]))
      }),
    )
  })
})

describe('a batch', () => {
  const query: Query = { sender, urls: ['https://1/{data}', 'https://2'], data: '0xabcd' }

  test('decodes what was encoded', () => {
    expect(readBatch(batch([]))).toEqual([])
    const queries = [query, { ...query, urls: [], data: '0x' as const }, query]
    expect(readBatch(batch(queries))).toEqual(queries)
  })

  test('2 has at most eight queries', () => {
    expect(readBatch(batch(Array.from({ length: 8 }, () => query)))).toHaveLength(8)
    expect(readBatch(batch(Array.from({ length: 9 }, () => query)))).toBeNull()
    expect(readBatch('0x12345678')).toBeNull()
  })

  test('2 is rejected if queries share bytes', () => {
    const tuple = concat([words(BigInt(sender), 3 * 32, 4 * 32, 0, 2_000), `0x${'ab'.repeat(2_000)}`])
    const of = (count: number) =>
      concat(['0xa780bab6', words(32, count, ...Array.from({ length: count }, () => count * 32)), tuple])
    expect(readBatch(of(1))).toEqual([{ sender, urls: [], data: `0x${'ab'.repeat(2_000)}` }])
    expect(readBatch(of(8))).toBeNull()
  })

  test('encodes responses in order, with their errors', () => {
    const encoded = writeBatch([
      { ok: true, data: '0xabcd' },
      { ok: false, status: 404 },
      { ok: false, status: null },
    ])
    const [failures, responses] = decodeAbiParameters(parseAbiParameters('bool[], bytes[]'), encoded)
    expect(failures).toEqual([false, true, true])
    expect(responses[0]).toBe('0xabcd')
    expect(decodeErrorResult({ abi, data: responses[1] ?? '0x' })).toMatchObject({ errorName: 'HttpError' })
    expect(decodeErrorResult({ abi, data: responses[2] ?? '0x' })).toMatchObject({ errorName: 'Error' })
  })
})

test('the callback gets the response and the contract’s extra data', () => {
  const callback = { sender, urls: [], data: '0x', callback: '0xcafebabe', extraData: '0xfeed' } as const
  const data = callbackOf(callback, '0x1234')
  expect(data.slice(0, 10)).toBe('0xcafebabe')
  expect(decodeAbiParameters(parseAbiParameters('bytes, bytes'), `0x${data.slice(10)}`)).toEqual(['0x1234', '0xfeed'])
})
