import { describe, expect, it } from 'vitest'
import { checkAmount, checkSend } from './check'
import type { Quote } from './senders/sender'
import type { SendToken } from './token'

const token: SendToken = {
  key: 'native',
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  balance: 100n,
  address: null,
  price: 0,
  iconUrl: '',
}
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const quote: Quote = {
  balance: 100n,
  max: 90n,
  min: 5n,
  fee: 5n,
  maxFee: 10n,
  deposit: 0n,
  native: 100n,
  needed: 0n,
  refusal: null,
  wouldFail: false,
  rates: null,
}
const entry = { namespace: 'eip155', token, text: '0.00000000000000001', amount: 10n, to, quote } as const

describe('checkSend', () => {
  it('reports the first missing value with its catalogue code (spec §5, §8)', () => {
    expect(checkSend({ ...entry, text: '', amount: null })).toEqual({
      field: 'amount',
      code: 'AMOUNT_AND_RECEIVER_REQUIRED',
    })
    expect(checkSend({ ...entry, to: null })).toEqual({ field: 'recipient', code: 'AMOUNT_AND_RECEIVER_REQUIRED' })
    expect(checkSend({ ...entry, token: null })).toEqual({ field: 'token', code: 'TOKEN_REQUIRED' })
    expect(checkSend({ ...entry, text: 'abc', amount: null })).toEqual({ field: 'amount', code: 'INVALID_DECIMAL' })
    expect(checkSend({ ...entry, text: '0', amount: 0n })).toEqual({ field: 'amount', code: 'INVALID_DECIMAL' })
    expect(checkSend({ ...entry, namespace: 'solana' })).toEqual({ field: 'recipient', code: 'INVALID_ADDRESS' })
    expect(checkSend(entry)).toBeNull()
  })

  it('accepts amounts too small for a float', () => {
    const tiny = { ...token, decimals: 255 }
    expect(checkSend({ ...entry, token: tiny, text: `0.${'0'.repeat(253)}10`, amount: 10n })).toBeNull()
  })
})

describe('checkAmount', () => {
  it('compares the amount with the balance, with and without the fee', () => {
    // A list's balance is no reason to complain.
    expect(checkAmount(101n, null)).toBeNull()
    expect(checkAmount(101n, quote)).toEqual({ field: 'amount', kind: 'balance' })
    expect(checkAmount(91n, quote)).toEqual({ field: 'amount', kind: 'fee', needed: 0n })
    expect(checkAmount(90n, quote)).toBeNull()
    expect(checkAmount(4n, quote)).toEqual({ field: 'amount', kind: 'min', min: 5n })
  })

  it('requires the fee of a token transfer too', () => {
    expect(checkAmount(10n, { ...quote, native: 3n, needed: 4n })).toEqual({
      field: 'amount',
      kind: 'fee',
      needed: 4n,
    })
  })

  it('reports first that the amount would be lost', () => {
    expect(checkAmount(1_000n, { ...quote, refusal: 'program' })).toEqual({
      field: 'recipient',
      kind: 'program',
    })
  })

  it('reports before anything else that the token cannot be sent', () => {
    expect(checkAmount(10n, { ...quote, refusal: 'memo', obstacle: 'paused' })).toEqual({
      field: 'amount',
      kind: 'paused',
    })
  })
})
