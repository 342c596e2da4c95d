import type { OnRampOptions } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kindOfAmount, limitsOf, maxAmount, minAmount, offersOn, soldNetworks } from './offers'

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const options: OnRampOptions = {
  paymentCurrencies: [
    {
      id: 'USD',
      payment_method_limits: [
        { id: 'card', min: '5', max: '500' },
        { id: 'ach_bank_account', min: '10', max: '25000.50' },
      ],
    },
    { id: 'EUR', payment_method_limits: [] },
  ],
  purchaseCurrencies: [
    {
      id: 'eth-id',
      name: 'Ether',
      symbol: 'ETH',
      networks: [
        { name: 'ethereum', display_name: 'Ethereum', chain_id: '1', contract_address: '' },
        { name: 'base', display_name: 'Base', chain_id: '8453', contract_address: '' },
      ],
    },
    {
      id: 'sol-id',
      name: 'Solana',
      symbol: 'SOL',
      networks: [{ name: 'solana', display_name: 'Solana', chain_id: solana, contract_address: '' }],
    },
  ],
}

describe('offers', () => {
  it('are those of the network, by chain id or CAIP-2', () => {
    expect(offersOn('eip155:8453', options)).toEqual([{ id: 'eth-id', name: 'Ether', symbol: 'ETH', network: 'base' }])
    expect(offersOn(solana, options).map(({ symbol }) => symbol)).toEqual(['SOL'])
    expect(offersOn('eip155:10', options)).toEqual([])
    expect(offersOn('solana:1', options)).toEqual([])
    expect(soldNetworks(['eip155:10', 'eip155:1', solana], options)).toEqual(['eip155:1', solana])
  })

  it('1. use the seller’s limits', () => {
    const usd = limitsOf('USD', options)
    expect(usd).toEqual({ card: { min: 500n, max: 50_000n }, bank: { min: 1_000n, max: 2_500_050n } })
    const kinds = ([null, 0n, 499n, 500n, 50_000n, 50_001n, 2_500_050n, 2_500_051n] as const).map((cents) =>
      kindOfAmount(cents, usd),
    )
    expect(kinds).toEqual(['none', 'none', 'low', 'card', 'card', 'bank', 'bank', 'high'])
    expect([minAmount(usd), maxAmount(usd)]).toEqual([500n, 2_500_050n])
  })

  it('2. use the specification’s limits if the seller’s are missing or invalid (spec §9)', () => {
    const fallback = { card: { min: 1_000n, max: 750_000n }, bank: { min: 1_000n, max: 2_500_000n } }
    expect(limitsOf('EUR', options)).toEqual(fallback)
    expect(limitsOf('CHF', options)).toEqual(fallback)
    const nonsense = { id: 'USD', payment_method_limits: [{ id: 'card', min: '9', max: '1' }] }
    expect(limitsOf('USD', { ...options, paymentCurrencies: [nonsense] })).toEqual(fallback)
    const tooFine = { id: 'USD', payment_method_limits: [{ id: 'card', min: '0.001', max: '1' }] }
    expect(limitsOf('USD', { ...options, paymentCurrencies: [tooFine] })).toEqual(fallback)
  })

  it('are never accepted outside their limits', () => {
    const usd = limitsOf('USD', options)
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), (cents) => {
        const isTaken = ['card', 'bank'].includes(kindOfAmount(cents, usd))
        expect(isTaken).toBe(cents >= minAmount(usd) && cents <= maxAmount(usd))
      }),
    )
  })
})
