import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateText, exactAmount, safeSymbol, upperAmount } from './amount-text'

const amount = (raw: string, decimals = 18) => ({ raw, decimals })

describe('exactAmount', () => {
  it('prints every digit and no more', () => {
    expect(exactAmount(amount('100000000000000000'), 'en')).toBe('0.1')
    expect(exactAmount(amount('1'), 'en')).toBe('0.000000000000000001')
    expect(exactAmount(amount('1234567000000', 6), 'en')).toBe('1,234,567')
    expect(exactAmount(amount('1234567500000', 6), 'de')).toBe('1.234.567,5')
    expect(exactAmount(amount('1000', 0), 'en')).toBe('1,000')
    expect(exactAmount(amount('0'), 'en')).toBe('0')
  })

  it('is null if the decimals are unknown', () => expect(exactAmount({ raw: '5' }, 'en')).toBeNull())

  it('can be parsed back to the same amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 36 }), (raw, decimals) => {
        const [whole = '', fraction = ''] = (exactAmount(amount(raw.toString(), decimals), 'en') ?? '')
          .replaceAll(',', '')
          .split('.')
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(raw)
      }),
    )
  })
})

describe('upperAmount', () => {
  it('never shows less than the possible cost', () => {
    expect(upperAmount(amount('630000000000123'), 'en')).toBe('0.000630001')
    expect(upperAmount(amount('5000', 9), 'en')).toBe('0.000005')
    expect(upperAmount(amount('9999999', 0), 'en')).toBe('10,000,000')
    expect(upperAmount(amount('0'), 'en')).toBe('0')
  })
})

describe('safeSymbol', () => {
  it('removes bidi and invisible characters from a symbol, and limits its length', () => {
    expect(safeSymbol('USDC')).toBe('USDC')
    expect(safeSymbol('\u202EHTE')).toBe('HTE')
    expect(safeSymbol('A\u200B\u0000\nB')).toBe('A B')
    expect(safeSymbol('x'.repeat(300)).length).toBeLessThan(30)
  })
})

describe('dateText', () => {
  it('is a date, or null beyond the range of dates', () => {
    expect(dateText(1_790_000_000, 'en')).toContain('2026')
    expect(dateText(2 ** 255, 'en')).toBeNull()
    expect(dateText(Number.NaN, 'en')).toBeNull()
  })
})
