import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createJsonScan, findMember } from './json-scan'

const inChunks = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

describe('createJsonScan', () => {
  test('1. finds the end of any value, in chunks of any size', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 9 }), (json, size) => {
        const scan = createJsonScan()
        let value = ''
        for (const chunk of inChunks(Buffer.from(`${json},"id":1}]`), size)) {
          value += chunk.subarray(0, scan.push(chunk)).toString('latin1')
          if (scan.isEnded()) break
        }
        expect(Buffer.from(value, 'latin1').toString()).toBe(json)
      }),
      { numRuns: 50 },
    )
  })

  test('2. tells values that are costly to parse from a long text', () => {
    const isCostly = (json: string) => {
      const scan = createJsonScan()
      scan.push(Buffer.from(json))
      return scan.isCostly()
    }
    expect(isCostly(`["${'[,{'.repeat(1e6)}"]`)).toBe(false)
    expect(isCostly(`[${'[],'.repeat(100_000)}0]`)).toBe(true)
    expect(isCostly(`[${'1,'.repeat(200_000)}0]`)).toBe(true)
    expect(isCostly(`${'['.repeat(300)}${']'.repeat(300)}`)).toBe(true)
  })
})

describe('findMember', () => {
  const valueAt = (json: string) => {
    const at = findMember(Buffer.from(json), 'result', 'error')
    return at === null ? null : json.slice(at)
  }

  test('finds it behind any other members', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-d]{1,5}$/), fc.jsonValue()),
        fc.jsonValue(),
        (others, result) => {
          const json = JSON.stringify({ ...others, result }, null, 1)
          expect(JSON.parse(`{"result": ${valueAt(json)}`)).toEqual({ result: JSON.parse(JSON.stringify(result)) })
        },
      ),
    )
  })

  test.each([
    ['{"error":null,"result":1}', '1}'],
    ['{"id":{"result":2},"x":"\\"result\\":3","result":4}', '4}'],
    ['{"error":{"code":1},"result":1}', null],
    ['[{"result":1}]', null],
    ['{"id":1', null],
    ['{"result":', null],
    ['{"result', null],
    ['{"id" 1,"result":2}', null],
    ['', null],
    ['<html>', null],
  ])('%s: %s', (json, value) => {
    expect(valueAt(json)).toBe(value)
  })
})
