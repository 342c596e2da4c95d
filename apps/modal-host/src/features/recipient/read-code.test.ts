import { describe, expect, it } from 'vitest'
import { readCode } from './read-code'
import { pictureOf } from './testing/picture'

describe('readCode', () => {
  it.each(['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'bitcoin:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'])(
    'reads %s',
    (text) => expect(readCode(pictureOf(text))).toBe(text),
  )

  it('returns null without a code', () => {
    const width = 64
    expect(readCode({ width, height: width, data: new Uint8ClampedArray(width * width * 4).fill(200) })).toBeNull()
  })
})
