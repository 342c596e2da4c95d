import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountOf, centsOf, fiatOf } from './fiat'

describe('fiat', () => {
  it('is exact where a float is not', () => {
    expect(fiatOf('0.1', 0.2)).toBe('0.02')
    expect(fiatOf('1.005', 1000)).toBe('1005.00')
    expect(fiatOf('123456789012345678.9', 1)).toBe('123456789012345678.90')
    expect(fiatOf('1', 1e-7)).toBe('0.00')
    expect(fiatOf('10000000', 1e-7)).toBe('1.00')
    expect(fiatOf('2', 1e21)).toBe('2000000000000000000000.00')
  })

  it('is null without an amount or a price', () => {
    for (const amount of ['', '-1', '1e3', 'x', '1.']) expect(fiatOf(amount, 1)).toBeNull()
    for (const price of [Number.NaN, Number.POSITIVE_INFINITY, -1]) expect(fiatOf('1', price)).toBeNull()
    expect(amountOf('1', 0, 18)).toBeNull()
  })

  it('rounds down in both directions', () => {
    expect(fiatOf('0.999', 1)).toBe('0.99')
    expect(amountOf('1', 3, 6)).toBe('0.333333')
    expect(amountOf('10', 2, 0)).toBe('5')
    expect(amountOf('100', 10, 2)).toBe('10')
  })

  it('never buys more than it is worth', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
        fc.integer({ min: 0, max: 18 }),
        (cents, price, decimals) => {
          const text = `${cents / 100n}.${(cents % 100n).toString().padStart(2, '0')}`
          const amount = amountOf(text, price, decimals)
          expect(amount).not.toBeNull()
          expect(centsOf(amount ?? '', price) ?? 0n).toBeLessThanOrEqual(cents)
        },
      ),
    )
  })
})
