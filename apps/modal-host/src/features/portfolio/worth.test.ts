import type { TokenBalance } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { totalCents } from './worth'

function token(numeric: string, price: number, chainId: TokenBalance['chainId'] = 'eip155:1'): TokenBalance {
  return { name: 'T', symbol: 'T', chainId, price, quantity: { decimals: '18', numeric }, iconUrl: '' }
}
const none = () => false

describe('totalCents', () => {
  it('adds priced balances in whole cents, rounded down', () => {
    expect(totalCents([token('1.239', 2_500.5), token('7', 0), token('0.1', 0.3)], none)).toBe(309_811n + 3n)
  })

  it('is 0 if empty, and null without any price', () => {
    expect(totalCents([], none)).toBe(0n)
    expect(totalCents([token('7', 0)], none)).toBeNull()
  })

  it('ignores testnets', () => {
    const isTest = (chainId: string) => chainId === 'eip155:31337'
    expect(totalCents([token('5', 1, 'eip155:31337'), token('2', 1)], isTest)).toBe(200n)
    expect(totalCents([token('5', 1, 'eip155:31337')], isTest)).toBe(0n)
  })

  it('is exact at any size and in any order', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 60n })
    fc.assert(
      fc.property(fc.array(units, { minLength: 1 }), (amounts) => {
        const balances = amounts.map((amount) => token(`${amount}`, 1))
        const sum = amounts.reduce((total, amount) => total + amount * 100n, 0n)
        expect(totalCents(balances, none)).toBe(sum)
        expect(totalCents([...balances].reverse(), none)).toBe(sum)
      }),
    )
  })
})
