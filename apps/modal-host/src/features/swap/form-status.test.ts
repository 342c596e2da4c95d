import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coversFee, type FormState, formStatusOf, maxAmount } from './form-status'
import { dollar, ether, quote } from './testing/swap-fixtures'

const whole: FormState = {
  from: ether,
  to: dollar,
  text: '1',
  amount: 1n,
  balance: 2n,
  quoteState: { kind: 'quote', quote: quote(5n) },
}

describe('verdictOf', () => {
  it.each<[string, Partial<FormState>]>([
    ['chooseFrom', { from: null }],
    ['chooseTo', { to: null }],
    ['enterAmount', { text: ' ', amount: null }],
    ['enterAmount', { text: '0', amount: 0n }],
    ['notAnAmount', { text: '1e3', amount: null }],
    ['insufficient', { amount: 3n }],
    ['asking', { quoteState: { kind: 'asking' } }],
    ['noRoute', { quoteState: { kind: 'noRoute' } }],
    ['failed', { quoteState: { kind: 'failed' } }],
    ['ready', {}],
    ['ready', { balance: null }],
  ])('is %s', (kind, changes) => {
    expect(formStatusOf({ ...whole, ...changes }).kind).toBe(kind)
  })
})

describe('mostOf', () => {
  it('reserves the fee for the native currency only', () => {
    expect(maxAmount(dollar, 5n, 10n)).toBe(5n)
    expect(maxAmount(ether, 10n ** 18n, 10n ** 9n)).toBe(10n ** 18n - 10n ** 9n)
    expect(maxAmount(ether, 5n, 10n)).toBe(0n)
    expect(maxAmount(ether, 5n, null)).toBeNull()
    expect(maxAmount(dollar, 5n, null)).toBe(5n)
  })

  it('always leaves enough for the reserved fee', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n }), fc.bigInt({ min: 0n, max: 2n ** 64n }), (balance, fee) => {
        const amount = maxAmount(ether, balance, fee) ?? 0n
        if (amount > 0n) expect(coversFee({ from: ether, amount }, balance, fee)).toBe(true)
      }),
    )
  })
})

describe('coversFee', () => {
  it('includes the paid amount if it is the same currency', () => {
    expect(coversFee({ from: ether, amount: 5n }, 10n, 5n)).toBe(true)
    expect(coversFee({ from: ether, amount: 6n }, 10n, 5n)).toBe(false)
    expect(coversFee({ from: dollar, amount: 6n }, 5n, 5n)).toBe(true)
    expect(coversFee({ from: dollar, amount: 0n }, 4n, 5n)).toBe(false)
  })

  it('is null if unknown or sponsored', () => {
    expect(coversFee({ from: ether, amount: 5n }, null, 5n)).toBeNull()
    expect(coversFee({ from: ether, amount: 5n }, 5n, null)).toBeNull()
  })
})
