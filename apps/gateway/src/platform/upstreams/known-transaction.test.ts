import { base58, base64 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knownTransaction } from './known-transaction'

const processed = 'Transaction simulation failed: This transaction has already been processed'
const signature = Uint8Array.from({ length: 64 }, (_, index) => index + 1)
/** One signature, then an arbitrary message. */
const wire = Uint8Array.from([1, ...signature, 1, 0, 1, 3])

describe('knownTransaction', () => {
  test("is Ethereum's hash of the bytes", () => {
    const call = { method: 'eth_sendRawTransaction', params: ['0x'] }
    expect(knownTransaction({ ...call, params: ['0x00'] }, 'already known')).toBe(
      '0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a',
    )
    expect(knownTransaction(call, 'already known')).toBeUndefined()
    expect(knownTransaction({ ...call, params: ['0x00'] }, 'nonce too low')).toBeUndefined()
  })

  test.each([
    ['base58, where nothing is said', [base58.encode(wire)]],
    ['base58, where only other things are said', [base58.encode(wire), { skipPreflight: true }]],
    ['base64', [base64.encode(wire), { encoding: 'base64' }]],
  ])("is Solana's first signature, in %s", (_, params) => {
    expect(knownTransaction({ method: 'sendTransaction', params }, processed)).toBe(base58.encode(signature))
  })

  test.each([
    ['another refusal', [base58.encode(wire)], 'Blockhash not found'],
    ['no params', undefined, processed],
    ['base64 that says it is base58', ['+/+/'], processed],
    ['a transaction without a signature', [base58.encode(Uint8Array.from([0, ...signature, 1]))], processed],
    ['one that ends in its signatures', [base58.encode(Uint8Array.from([2, ...signature, 1]))], processed],
    ['one out of all proportion', ['1'.repeat(3_000)], processed],
  ])('is undefined for %s', (_, params, message) => {
    expect(knownTransaction({ method: 'sendTransaction', params }, message)).toBeUndefined()
  })

  test('arbitrary params never throw', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('sendTransaction', 'eth_sendRawTransaction', 'x'),
        fc.jsonValue(),
        (method, params) => {
          knownTransaction({ method, params }, `already known ${processed}`)
        },
      ),
    )
  })
})
