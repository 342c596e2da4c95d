import { describe, expect, it } from 'vitest'
import { formatCount, formatRoundCount, pluralForm } from './format-count'
import { shortAddress, splitDecimal } from './text'

describe('shortAddress', () => {
  it('keeps the first 4 and the last 6 characters (spec §9)', () => {
    expect(shortAddress('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')).toBe('0xd8…A96045')
    expect(shortAddress('short')).toBe('short')
  })
})

describe('writeDecimal', () => {
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

describe('roundCount', () => {
  it('rounds down to tens from 100 on, with a plus', () => {
    expect(formatRoundCount(487, 'en')).toBe('480+')
    expect(formatRoundCount(480, 'en')).toBe('480')
    expect(formatRoundCount(42, 'en')).toBe('42')
    expect(formatRoundCount(1_234, 'de')).toBe('1.230+')
  })
})

describe('exactCount and pluralForm', () => {
  it('give a number and its plural form', () => {
    expect([1, 42, 1_234].map((count) => formatCount(count, 'en'))).toEqual(['1', '42', '1,234'])
    expect([0, 1, 2].map((count) => pluralForm(count, 'en'))).toEqual(['other', 'one', 'other'])
    expect([1, 3, 5].map((count) => pluralForm(count, 'pl'))).toEqual(['one', 'few', 'many'])
  })
})
