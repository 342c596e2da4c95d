import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactUnits, formatUnits, parseUnits } from './format'

describe('formatUnits', () => {
  it.each([
    [0n, 18, '0.000'],
    [1n, 18, '0.000'],
    [999_999_999_999_999n, 18, '0.000'],
    [1_000_000_000_000_000n, 18, '0.001'],
    [1_999_999_999_999_999_999n, 18, '1.999'],
    [10_000_000_000_000_000_000_000n, 18, '10000.000'],
    [1_234_567n, 6, '1.234'],
    [12n, 0, '12.000'],
    [12n, 1, '1.200'],
    [-1_500n, 3, '-1.500'],
    [-1n, 18, '0.000'],
  ])('%s with %s decimals is %s', (amount, decimals, expected) => {
    expect(formatUnits(amount, decimals, 3)).toBe(expected)
  })

  it('never rounds up, and is exact to the last digit shown (spec §9)', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.integer({ min: 0, max: 30 }), (amount, decimals) => {
        const thousandths = BigInt(formatUnits(amount, decimals, 3).replace('.', ''))
        const unit = 10n ** BigInt(decimals)
        expect(thousandths * unit <= amount * 1000n).toBe(true)
        expect((thousandths + 1n) * unit > amount * 1000n).toBe(true)
      }),
    )
  })
})

describe('parseUnits', () => {
  it.each([
    ['1.5', 6, 1_500_000n],
    ['0', 18, 0n],
    ['.5', 1, 5n],
    ['12.', 2, 1200n],
    ['0.000000000000000001', 18, 1n],
    ['7', 0, 7n],
    [String(2n ** 256n - 1n), 0, 2n ** 256n - 1n],
  ])('parses %s with %i decimals', (text, decimals, units) => expect(parseUnits(text, decimals)).toBe(units))

  it.each(['', '.', '-1', '1e3', '1,5', ' 1', '0x1', '1.2.3', '1.1234567', 'NaN', '1'.repeat(79)])(
    'rejects %j',
    (text) => expect(parseUnits(text, 6)).toBeNull(),
  )

  it('reverses exactUnits, at any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 30 }), (units, decimals) => {
        expect(parseUnits(exactUnits(units, decimals), decimals)).toBe(units)
      }),
    )
  })
})
