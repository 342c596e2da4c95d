import { parseBitcoinAddress } from '@postern/chains/bip122/address'
import { isDust } from '@postern/chains/bip122/coins'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testMoney } from '../../testing/test-money'
import { currencyOf, bitcoin as network } from '../../testing/test-networks'
import { type BitcoinFacts, bitcoinQuote, ratesOf, sender } from './bip122'
import type { Draft } from './sender'

const own = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const legacy = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const bitcoin = currencyOf(network, 100_000n)
const draft: Draft = {
  network,
  account: { namespace: 'bip122', address: own, type: 'payment' },
  token: bitcoin,
  to: legacy,
  amount: null,
}

function place(text: string) {
  const address = parseBitcoinAddress(text)
  if (address === undefined) throw new Error('no address')
  return address
}

function factsOf(values: readonly bigint[], waiting: readonly bigint[] = []): BitcoinFacts {
  const coin = (value: bigint, index: number, isConfirmed: boolean) => ({
    txid: String(index).padStart(64, isConfirmed ? 'a' : 'b'),
    vout: 0,
    value,
    isConfirmed,
  })
  return {
    confirmed: values.map((value, index) => coin(value, index, true)),
    waiting: waiting.map((value, index) => coin(value, index, false)),
    rates: { slow: 1_000n, normal: 5_000n, fast: 20_000n },
    kind: 'p2wpkh',
    recipient: place(legacy),
    change: place(own),
  }
}

describe('bitcoinQuote', () => {
  const coins = fc.array(fc.bigInt({ min: 1n, max: 10n ** 9n }), { maxLength: 12 })
  const choices = fc.constantFrom('slow', 'normal', 'fast')

  it('sends everything the coins cover after the fee, and nothing more would fit', () => {
    fc.assert(
      fc.property(coins, coins, choices, (confirmed, waiting, choice) => {
        const facts = factsOf(confirmed, waiting)
        const { max, balance } = bitcoinQuote(facts, null, choice)
        const { fee } = bitcoinQuote(facts, max, choice)
        if (max === 0n) return
        expect(max + (fee ?? 0n) <= balance).toBe(true)
        expect(isDust(max, 'p2pkh')).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('costs more for a faster transfer', () => {
    const facts = factsOf([100_000n])
    const fee = (choice: 'slow' | 'normal' | 'fast') => bitcoinQuote(facts, 10_000n, choice).fee ?? 0n
    expect(fee('slow') < fee('normal') && fee('normal') < fee('fast')).toBe(true)
    expect(bitcoinQuote(facts, null, 'slow').max > bitcoinQuote(facts, null, 'fast').max).toBe(true)
  })

  it('rejects dust: 546 satoshis to an old address type, 294 to a new one', () => {
    expect(bitcoinQuote(factsOf([100_000n]), 1n, 'slow').min).toBe(546n)
    expect(bitcoinQuote({ ...factsOf([100_000n]), recipient: place(own) }, 1n, 'slow').min).toBe(294n)
    expect(bitcoinQuote(factsOf([650n]), null, 'slow').max).toBe(0n)
  })
})

describe('ratesOf', () => {
  it('uses the estimate for the wait, and never more for a longer one', () => {
    expect(ratesOf({ 1: 20, 2: 15, 6: 8.5, 25: 3, 144: 1.2, 1008: 1 })).toEqual({
      fast: 20_000n,
      normal: 8_500n,
      slow: 1_200n,
    })
    expect(ratesOf({ 1: 2, 144: 5 })).toEqual({ fast: 5_000n, normal: 5_000n, slow: 5_000n })
  })

  it('is the minimum on a quiet chain, and never implausible', () => {
    expect(ratesOf({})).toEqual({ fast: 1_000n, normal: 1_000n, slow: 1_000n })
    expect(ratesOf({ 1: 0.1 })).toEqual({ fast: 1_000n, normal: 1_000n, slow: 1_000n })
    expect(() => ratesOf({ 1: 2_001 })).toThrow()
    expect(() => ratesOf({ 1: Number.MAX_VALUE })).toThrow()
  })
})

describe('way', () => {
  const txid = 'a'.repeat(64)
  const money = testMoney({
    client: (networkId) => ({
      networkId,
      rpc: { request: async () => null },
      esplora: {
        get: async (path) =>
          path === '/fee-estimates'
            ? { 1: 10, 6: 5.5, 144: 1 }
            : [{ txid, vout: 0, value: 100_000, status: { confirmed: true } }],
        post: async () => '',
      },
    }),
  })

  it('asks the wallet for a transfer at the chosen rate', async () => {
    const { signal } = new AbortController()
    const opened = await sender.prepare(draft, money, signal)
    expect(opened.quote(10_000n, 'normal')).toMatchObject({ balance: 100_000n, rates: { normal: 5_500n } })
    expect(await opened.request(10_000n, 'normal', signal)).toEqual({
      method: 'bip122_sendTransfer',
      params: { account: own, recipientAddress: legacy, amount: '10000', feeRate: 5.5 },
    })
    await expect(opened.request(10n ** 16n, 'normal', signal)).rejects.toThrow()
  })

  it('rejects a recipient of another network before any request', async () => {
    const other = { ...draft, to: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' }
    await expect(sender.prepare(other, money, new AbortController().signal)).rejects.toMatchObject({
      code: 'INVALID_ADDRESS',
    })
  })
})
