import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencyOf, ethereum } from '../testing/test-networks'
import { checkAmount } from './check'
import { bitcoinQuote } from './senders/bip122'
import { type EvmFacts, evmQuote, evmRequest } from './senders/eip155'
import type { Quote } from './senders/sender'
import { offerOf } from './senders/solana/compute'
import { solanaQuote } from './senders/solana/sender'
import { transferAmount } from './use-transfer'

const max = { kind: 'send', all: true, choice: 'normal' } as const
const gwei = fc.bigInt({ min: 1n, max: 500n * 10n ** 9n })

/** Checks the max of the form against the chain's later answer, as the review does. */
function expectSendable(now: Quote, later: (amount: bigint) => Quote): bigint {
  fc.pre(now.max >= now.min)
  const amount = transferAmount({ ...max, amount: now.max }, { quote: (units) => later(units ?? 0n) })
  const quote = later(amount)
  if (quote.max >= quote.min) expect(checkAmount(amount, quote)).toBeNull()
  else expect(checkAmount(amount, quote)).toMatchObject({ field: 'amount', kind: 'fee' })
  return amount
}

describe('the max of the form, after the fee has changed', () => {
  it('can be sent on EVM networks, with a fee that the balance covers', () => {
    const draft = {
      network: ethereum,
      account: { namespace: 'eip155', address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', type: 'eoa' },
      token: currencyOf(ethereum, 10n ** 18n),
      to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      amount: null,
    } as const
    fc.assert(
      fc.property(gwei, gwei, gwei, fc.bigInt({ min: 10n ** 15n, max: 10n ** 20n }), (price, next, rollup, native) => {
        const facts: EvmFacts = {
          native,
          balance: native,
          decimals: null,
          isToToken: false,
          gas: 21_000n,
          isEstimated: true,
          price,
          tip: 1n,
          rollup,
          wouldFail: false,
        }
        const nextFacts = { ...facts, price: next }
        const amount = expectSendable(evmQuote(facts, draft), () => evmQuote(nextFacts, draft))
        const { max: highest, min } = evmQuote(nextFacts, draft)
        if (highest < min) return
        const [call] = evmRequest(draft, amount, nextFacts).params
        const { gas, maxFeePerGas } = { gas: '0x0', maxFeePerGas: '0x0', ...call }
        expect(BigInt(maxFeePerGas)).toBe(2n * next)
        expect(amount + BigInt(gas) * BigInt(maxFeePerGas) + 2n * rollup <= native).toBe(true)
      }),
    )
  })

  it('can be sent on Solana', () => {
    const prices = fc.bigInt({ min: 0n, max: 10n ** 9n })
    fc.assert(
      fc.property(prices, prices, fc.bigInt({ min: 10n ** 6n, max: 10n ** 12n }), (price, next, native) => {
        const facts = (offered: bigint) =>
          ({
            native,
            emptyRent: 890_880n,
            recipient: 'account',
            tokens: null,
            compute: offerOf('lamports', offered),
          }) as const
        expectSendable(solanaQuote(facts(price), null), (amount) => solanaQuote(facts(next), amount))
      }),
    )
  })

  it('can be sent on Bitcoin', () => {
    const rates = fc.bigInt({ min: 1_000n, max: 200_000n })
    const script = new Uint8Array(22)
    fc.assert(
      fc.property(rates, rates, fc.bigInt({ min: 1_000n, max: 10n ** 9n }), (rate, next, value) => {
        const facts = (normal: bigint) =>
          ({
            confirmed: [{ txid: 'a'.repeat(64), vout: 0, value, isConfirmed: true }],
            waiting: [],
            rates: { slow: normal, normal, fast: normal },
            kind: 'p2wpkh',
            recipient: { script, kind: 'p2wpkh' },
            change: { script, kind: 'p2wpkh' },
          }) as const
        const now = bitcoinQuote(facts(rate), null, 'normal')
        expectSendable(now, (amount) => bitcoinQuote(facts(next), amount, 'normal'))
      }),
      { numRuns: 60 },
    )
  })

  it('stays as typed if the user typed the amount', () => {
    const draft = { ...max, all: false, amount: 5n }
    expect(transferAmount(draft, { quote: () => ({ ...emptyQuote, max: 4n }) })).toBe(5n)
  })
})

const emptyQuote: Quote = {
  balance: 0n,
  max: 0n,
  min: 1n,
  fee: 0n,
  maxFee: null,
  deposit: 0n,
  native: 0n,
  needed: 0n,
  refusal: null,
  wouldFail: false,
  rates: null,
}
