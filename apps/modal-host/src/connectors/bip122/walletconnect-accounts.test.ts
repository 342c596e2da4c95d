import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ordinalsAddress, paymentAddress } from '../walletconnect/testing/set-up'
import { describedAddresses, readAddresses, withPurposes } from './walletconnect-accounts'

const types = (addresses: string[], described: Parameters<typeof withPurposes>[1] = []) =>
  withPurposes(addresses, described).map(({ address, type }) => [address, type])

describe('withPurposes', () => {
  it('1. uses the wallet’s purposes; by default taproot next to another type holds ordinals', () => {
    expect(types([ordinalsAddress, paymentAddress])).toEqual([
      [paymentAddress, 'payment'],
      [ordinalsAddress, 'ordinals'],
    ])
    expect(types([ordinalsAddress])).toEqual([[ordinalsAddress, 'payment']])
    expect(types([ordinalsAddress, paymentAddress], [{ address: ordinalsAddress, purpose: 'payment' }])).toEqual([
      [ordinalsAddress, 'payment'],
      [paymentAddress, 'payment'],
    ])
  })

  it('2. adds the ordinals address that the wallet announced, on the same network only', () => {
    expect(types([paymentAddress], [{ address: ordinalsAddress, purpose: 'ordinals' }])).toHaveLength(2)
    const mainnet = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'
    expect(types([paymentAddress], [{ address: mainnet, purpose: 'ordinals' }])).toEqual([[paymentAddress, 'payment']])
    // An announced payment address does not grant another account.
    expect(types([paymentAddress], [{ address: `${paymentAddress}x`, purpose: 'payment' }])).toHaveLength(1)
  })
})

describe('readAddresses and describedAddresses', () => {
  it('read every format that wallets use', () => {
    const entry = { address: paymentAddress, publicKey: '02'.repeat(33), path: "m/84'/1'/0'/0/0" }
    expect(readAddresses([paymentAddress])).toEqual([{ address: paymentAddress, purpose: undefined }])
    expect(readAddresses([{ ...entry, intention: 'payment' }])).toEqual([{ ...entry, purpose: 'payment' }])
    expect(readAddresses({ payment: [entry], ordinal: [ordinalsAddress] })).toEqual([
      { ...entry, purpose: 'payment' },
      { address: ordinalsAddress, purpose: 'ordinals' },
    ])
    expect(describedAddresses({ bip122_getAccountAddresses: JSON.stringify([entry]) })).toHaveLength(1)
  })

  it('drop malformed fields of an entry, and the whole list if an address is invalid', () => {
    expect(readAddresses([{ address: paymentAddress, publicKey: 'zz', path: 7 }])).toEqual([
      { address: paymentAddress },
    ])
    expect(readAddresses([{ address: '<script>alert(1)</script>' }])).toEqual([])
    expect(describedAddresses({ bip122_getAccountAddresses: '{' })).toEqual([])
  })

  it('never throw, whatever the input', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (value, text) => {
        readAddresses(value)
        describedAddresses(value)
        describedAddresses({ bip122_getAccountAddresses: text })
      }),
    )
  })
})
