import { exactUnits } from '@postern/chains/format'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centsOf } from '../../view-kit/format/fiat'
import { parseDecimal } from '../../view-kit/format/parse-decimal'
import { entryOf, inUnit, unitsOf } from './amount'

const ether = { decimals: 18, price: 2_500.5 }

describe('parseDecimal', () => {
  it.each([
    ['1.5', 'en', '1.5'],
    ['.5', 'en', '.5'],
    ['1 000.5', 'en', '1000.5'],
    ['1,5', 'de', '1.5'],
    ['1.5', 'de', '1.5'],
    ['0.125', 'de', '0.125'],
    ['1.2345', 'de', '1.2345'],
    ['1234.567', 'de', '1234.567'],
    ['1,234', 'de', '1.234'],
    ['١٢٫٣٤٥', 'ar', '12.345'],
    ['١٫٢٣٤', 'de', '1.234'],
    ['۱٫۵', 'fa', '1.5'],
    ['১২.৫', 'bn', '12.5'],
    ['१.५', 'hi', '1.5'],
    ['１２．５', 'ja', '12.5'],
    ['1。5', 'zh-Hans', '1.5'],
    ['１，５', 'de', '1.5'],
    ['1.234', 'en', '1.234'],
  ])('reads %j in %s', (text, locale, decimal) => expect(parseDecimal(text, locale)).toBe(decimal))

  it.each([
    ['1,234', 'en'],
    ['1.234', 'de'],
    ['1.000', 'es'],
    ['999.999', 'fr'],
    [' 1 . 000 ', 'pl'],
    ['1.234,5', 'de'],
    ['1.234.567', 'de'],
    ['1,2,3', 'de'],
    ['1e3', 'en'],
    ['-1', 'en'],
    ['0x10', 'en'],
    ['', 'en'],
    ['.', 'en'],
    ['Infinity', 'en'],
    ['١٬٢٣٤', 'ar'],
    ['١٫٢٫٣', 'ar'],
    ['1,234٫5', 'ar'],
    ['１，２３４', 'en'],
    ['१.२३४', 'de'],
    ['5²', 'en'],
    ['½', 'en'],
  ])('rejects %j (%s)', (text, locale) => expect(parseDecimal(text, locale)).toBeNull())
})

describe('unitsOf', () => {
  it('is exact at any size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 40 }), (units, decimals) => {
        const entry = entryOf(units, { decimals }, 'en')
        expect(unitsOf(entry, { decimals, price: 0 }, 'en')).toBe(units)
        expect(unitsOf(entryOf(units, { decimals }, 'de'), { decimals, price: 0 }, 'de')).toBe(units)
      }),
    )
  })

  it('is null with too many decimals, and for dollars without a price', () => {
    expect(unitsOf({ text: '0.0000001', unit: 'token' }, { decimals: 6, price: 1 }, 'en')).toBeNull()
    expect(unitsOf({ text: '1', unit: 'fiat' }, { decimals: 6, price: 0 }, 'en')).toBeNull()
    expect(unitsOf({ text: '1.001', unit: 'fiat' }, ether, 'en')).toBeNull()
  })

  it('never exceeds the value of the dollars', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.integer({ min: 0, max: 18 }),
        (cents, price, decimals) => {
          const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
          const units = unitsOf({ text, unit: 'fiat' }, { decimals, price }, 'en')
          expect(units).not.toBeNull()
          expect((centsOf(exactUnits(units ?? 0n, decimals), price) ?? -1n) <= BigInt(cents)).toBe(true)
        },
      ),
    )
  })
})

describe('inUnit', () => {
  it('converts to the other unit, rounded down', () => {
    expect(inUnit({ text: '2', unit: 'token' }, 'fiat', ether, 'en')).toEqual({ text: '5001.00', unit: 'fiat' })
    expect(inUnit({ text: '5001', unit: 'fiat' }, 'token', ether, 'de')).toEqual({ text: '2', unit: 'token' })
    expect(inUnit({ text: 'x', unit: 'token' }, 'fiat', ether, 'en')).toEqual({ text: '', unit: 'fiat' })
  })
})
