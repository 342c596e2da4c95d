import { builtInNetworks, type NetworkDefinition, toNetwork } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { explorerUrl } from './adapter'

const explorerAt = (url: string): NetworkDefinition => ({
  ...builtInNetworks.ethereum,
  blockExplorers: [{ name: 'Explorer', url }],
})

describe('explorerUrl', () => {
  it.each([
    [builtInNetworks.base, 'https://basescan.org/address/0xa', 'https://basescan.org/tx/0xa'],
    [builtInNetworks.solana, 'https://solscan.io/account/0xa', 'https://solscan.io/tx/0xa'],
    [
      builtInNetworks['solana-devnet'],
      'https://solscan.io/account/0xa?cluster=devnet',
      'https://solscan.io/tx/0xa?cluster=devnet',
    ],
    [
      builtInNetworks['bitcoin-signet'],
      'https://mempool.space/signet/address/0xa',
      'https://mempool.space/signet/tx/0xa',
    ],
    [explorerAt('https://explorer.example/base//?x=1#y'), 'https://explorer.example/base/address/0xa?x=1#y', undefined],
  ])('returns the explorer pages of %o', (definition, address, transaction) => {
    const network = toNetwork(definition)
    expect(explorerUrl(network, 'address', '0xa')).toBe(address)
    if (transaction !== undefined) expect(explorerUrl(network, 'tx', '0xa')).toBe(transaction)
  })

  it('encodes an id so that it cannot leave its path segment', () => {
    const network = toNetwork(builtInNetworks.solana)
    expect(explorerUrl(network, 'tx', '../../x?y#z')).toBe('https://solscan.io/tx/..%2F..%2Fx%3Fy%23z')
  })

  it('is undefined if the network has no explorer', () => {
    const { blockExplorers: _, ...bare } = builtInNetworks.ethereum
    expect(explorerUrl(toNetwork(bare), 'tx', '0xa')).toBeUndefined()
  })
})
