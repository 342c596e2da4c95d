import type { CaipNetworkId } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  evmAccount,
  oldSolanaMainnet,
  otherEvmAccount,
  paymentAddress,
  regtest,
  solanaMainnet,
} from '../testing/set-up'
import { readSessionEvent } from './session-events'

const event = (chainId: CaipNetworkId, name: string, data?: unknown) => ({
  id: 1,
  topic: 'topic',
  params: { chainId, event: { name, data } },
})

describe('readSessionEvent', () => {
  it('1. is null for another namespace', () => {
    expect(readSessionEvent('solana', event('eip155:1', 'chainChanged', 1))).toBeNull()
    expect(readSessionEvent('eip155', event('eip155:1', 'message', 1))).toBeNull()
  })

  it.each([
    [8453, 'eip155:8453'],
    ['8453', 'eip155:8453'],
    ['0x2105', 'eip155:8453'],
    ['eip155:8453', 'eip155:8453'],
    [{ chainId: '0x2105' }, 'eip155:8453'],
    [undefined, 'eip155:1'],
    ['solana:abc', 'eip155:1'],
    [-3, 'eip155:1'],
    [1.5, 'eip155:1'],
    [{}, 'eip155:1'],
  ])('2. reads the chain of %j (spec §3)', (data, networkId) => {
    expect(readSessionEvent('eip155', event('eip155:1', 'chainChanged', data))).toEqual({ kind: 'network', networkId })
  })

  it('2. returns the current id of a renamed network', () => {
    expect(readSessionEvent('solana', event(oldSolanaMainnet, 'chainChanged'))).toEqual({
      kind: 'network',
      networkId: solanaMainnet,
    })
  })

  it('3. reads accounts with or without a chain, in the wallet’s order', () => {
    const data = [`eip155:1:${otherEvmAccount}`, evmAccount, `solana:x:${evmAccount}`, 7]
    expect(readSessionEvent('eip155', event('eip155:1', 'accountsChanged', data))).toEqual({
      kind: 'accounts',
      addresses: [{ address: otherEvmAccount }, { address: evmAccount }],
    })
    expect(
      readSessionEvent(
        'bip122',
        event(regtest, 'bip122_addressesChanged', [{ address: paymentAddress, intention: 'payment' }]),
      ),
    ).toMatchObject({ kind: 'accounts', addresses: [{ address: paymentAddress, purpose: 'payment' }] })
  })

  it('4. is null for an empty list', () => {
    expect(readSessionEvent('eip155', event('eip155:1', 'accountsChanged', []))).toBeNull()
    expect(readSessionEvent('eip155', event('eip155:1', 'accountsChanged', { 0: evmAccount }))).toBeNull()
  })

  it('never throws, whatever the event', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom('chainChanged', 'accountsChanged'), (data, name) => {
        readSessionEvent('eip155', event('eip155:1', name, data))
        readSessionEvent('bip122', event(regtest, name, data))
      }),
    )
  })
})
