import type { SwapQuote } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bestQuote,
  impactOf,
  isExpired,
  lossOf,
  lossPercent,
  minimumReceived,
  percentText,
  rateOf,
  shortDecimal,
} from './quote'
import { account, dollar, ether, gem } from './testing/swap-fixtures'

const amounts = fc.bigInt({ min: 0n, max: 2n ** 200n })
const question = { account, from: ether, to: dollar, amount: 10n ** 18n }

function answered(toAmount: string, changes: Partial<SwapQuote> = {}): SwapQuote {
  return {
    id: null,
    fromAmount: `${question.amount}`,
    fromAccount: ether.id,
    toAmount,
    toAccount: dollar.id,
    expiresAt: 1_030_000,
    ...changes,
  }
}

describe('bestQuote', () => {
  it('returns the one with the highest amount', () => {
    const best = bestQuote([answered('2400'), answered('2500'), answered('2450')], question, 1_000_000)
    expect(best).toMatchObject({ toAmount: 2_500n, endsAt: 1_030_000, provider: null, fee: null, priceImpact: null })
  })

  it('is null without a route, and never a quote for something else', () => {
    const others = [
      answered('9', { fromAmount: '1' }),
      answered('9', { toAccount: gem.id }),
      answered('9', { fromAccount: gem.id }),
      answered('0'),
    ]
    expect(bestQuote([], question, 0)).toBeNull()
    expect(bestQuote(others, question, 0)).toBeNull()
  })

  it('is valid for a limited time by the visitor’s clock, however wrong that is', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4e12, max: 4e12 }), fc.integer({ min: 0, max: 4e12 }), (expiresAt, now) => {
        const life = (bestQuote([answered('1', { expiresAt })], question, now)?.endsAt ?? 0) - now
        expect(life).toBeGreaterThanOrEqual(5_000)
        expect(life).toBeLessThanOrEqual(30_000)
      }),
    )
    const { expiresAt: _unsaid, ...timeless } = answered('1')
    expect(bestQuote([timeless], question, 7)?.endsAt).toBe(30_007)
  })

  it('expires at its end, not before', () => {
    const best = bestQuote([answered('1')], question, 1_000_000)
    expect(best !== null && [isExpired(best, 1_029_999), isExpired(best, 1_030_000)]).toEqual([false, true])
  })
})

describe('minimumReceived', () => {
  it('is one percent less, rounded up', () => {
    expect([minimumReceived(100n), minimumReceived(101n), minimumReceived(1n), minimumReceived(0n)]).toEqual([
      99n,
      100n,
      1n,
      0n,
    ])
  })

  it('is at least 99% of any amount, and never more than all (spec §9)', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const least = minimumReceived(amount)
        expect(least * 100n).toBeGreaterThanOrEqual(amount * 99n)
        expect((least - 1n) * 100n).toBeLessThan(amount * 99n)
        expect(least).toBeLessThanOrEqual(amount)
      }),
    )
  })
})

describe('impactOf', () => {
  it.each([
    [null, 'low'],
    ['0', 'low'],
    ['2.9999', 'low'],
    ['3', 'high'],
    ['3.0', 'high'],
    ['9.99999999999999999999', 'high'],
    ['10', 'severe'],
    ['99.9', 'severe'],
  ])('%s is %s', (percent, impact) => {
    expect(impactOf(percent)).toBe(impact)
  })
})

describe('percentText', () => {
  it.each([
    ['0', '0'],
    ['0.3', '0.3'],
    ['0.0812', '0.09'],
    ['0.000001', '0.01'],
    ['0.5991', '0.6'],
    ['12', '12'],
    ['nonsense', null],
  ])('formats %s as %s, rounded up', (percent, text) => {
    expect(percentText(percent)).toBe(text)
  })
})

describe('lossPercent', () => {
  it('returns the loss rounded up, and zero without a loss', () => {
    expect([lossPercent(1_000n, 990n), lossPercent(3n, 2n), lossPercent(5n, 5n), lossPercent(0n, 0n)]).toEqual([
      '1',
      '33.34',
      '0',
      '0',
    ])
  })
})

describe('lossOf', () => {
  const prices = { from: 2_500, to: 1 }
  const silent = (toAmount: bigint) => ({ toAmount, priceImpact: null })

  it('uses the service’s price impact', () => {
    const fair = { toAmount: 2_490_000_000n, priceImpact: '0.3' }
    const own = { percent: '0.3', kind: 'impact' }
    for (const known of [prices, null]) expect(lossOf(question, fair, known)).toEqual(own)
    const severe = { toAmount: 2_000_000_000n, priceImpact: '12' }
    expect(lossOf(question, severe, prices)).toEqual({ percent: '12', kind: 'impact' })
  })

  it('uses the difference in value if that is worse than the service’s impact', () => {
    const lie = (toAmount: bigint, priceImpact: string) => lossOf(question, { toAmount, priceImpact }, prices)
    expect(lie(1n, '0.3')).toEqual({ percent: '100', kind: 'worth' })
    expect(lie(2_000_000_000n, '0')).toEqual({ percent: '20', kind: 'worth' })
    expect(lie(2_000_000_000n, '3.5')).toEqual({ percent: '20', kind: 'worth' })
  })

  it('uses the difference in value without a service impact', () => {
    expect(lossOf(question, silent(2_000_000_000n), prices)).toEqual({ percent: '20', kind: 'worth' })
    expect(lossOf(question, silent(2_600_000_000n), prices)).toEqual({ percent: '0', kind: 'worth' })
    expect(lossOf(question, silent(0n), prices)).toEqual({ percent: '100', kind: 'worth' })
  })

  it('is null without prices, or below a dollar', () => {
    expect(lossOf(question, silent(1n), null)).toBeNull()
    expect(lossOf(question, silent(1n), { from: 0, to: 1 })).toBeNull()
    expect(lossOf({ ...question, amount: 10n ** 14n }, silent(1n), prices)).toBeNull()
  })
})

describe('rateOf', () => {
  it('is the price of one unit', () => {
    expect(rateOf(question, 2_488_012_345n)).toBe('2488.01')
    expect(rateOf({ from: dollar, to: ether, amount: 2_500_000_000n }, 10n ** 18n)).toBe('0.0004')
    expect(rateOf({ ...question, amount: 0n }, 1n)).toBe('0')
  })
})

describe('shortDecimal', () => {
  it('keeps the significant digits', () => {
    expect(shortDecimal(2_488_012_345n, 6)).toBe('2488.01')
    expect(shortDecimal(1_234n, 18)).toBe('0.000000000000001234')
    expect(shortDecimal(123_456_789n, 18)).toBe('0.000000000123456')
    expect(shortDecimal(10n ** 30n, 18)).toBe('1000000000000')
    expect(shortDecimal(0n, 18)).toBe('0')
  })

  it('is never more than the amount, and hardly less', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 40 }), (amount, decimals) => {
        const [whole = '', fraction = ''] = shortDecimal(amount, decimals).split('.')
        const digits = BigInt(whole + fraction.padEnd(decimals, '0'))
        expect(digits).toBeLessThanOrEqual(amount)
        expect((amount - digits) * 10_000n).toBeLessThanOrEqual(amount)
      }),
    )
  })
})
