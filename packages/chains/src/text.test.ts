import { describe, expect, it } from 'vitest'
import { shortAddress, splitDecimal } from './text'

describe('shortAddress', () => {
  it('keeps the first 4 and the last 6 characters (spec §9)', () => {
    expect(shortAddress('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')).toBe('0xd8…A96045')
    expect(shortAddress('short')).toBe('short')
  })
})

describe('splitDecimal', () => {
  it('formats digits for the locale, and keeps all of them', () => {
    expect(splitDecimal('4218.073', 'en')).toEqual({ whole: '4,218', fraction: '.073' })
    expect(splitDecimal('4218.073', 'de')).toEqual({ whole: '4.218', fraction: ',073' })
    expect(splitDecimal('123456789012345678901.5', 'en')).toEqual({
      whole: '123,456,789,012,345,678,901',
      fraction: '.5',
    })
    expect(splitDecimal('7', 'en')).toEqual({ whole: '7', fraction: '' })
    expect(splitDecimal('0.00', 'en')).toEqual({ whole: '0', fraction: '.00' })
  })
})
