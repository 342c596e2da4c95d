import type { CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChainClient } from '../chain-client'
import { configureNetworks } from '../networks'
import { chainIdOf, adapter as eip155, networkIdFromWallet } from './adapter'

describe('eip155', () => {
  it('returns EIP-55 checksums for addresses in any case, with or without 0x', async () => {
    // EIP-55's own.
    const vectors = [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
      '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    ]
    expect(await eip155.normaliseAddresses(vectors.map((address) => address.toLowerCase()))).toEqual(vectors)
    expect(await eip155.normaliseAddresses(vectors.map((address) => address.slice(2).toUpperCase()))).toEqual(vectors)
  })

  it.each([
    '0x',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
    `0x${'g'.repeat(40)}`,
    `x0x${'a'.repeat(40)}`,
    `0x${'a'.repeat(40)}\n`,
  ])('rejects %j', async (address) => {
    await expect(eip155.normaliseAddresses([address])).rejects.toBeInstanceOf(Failure)
  })

  it.each([
    ['0x1', 'eip155:1'],
    ['0X1', undefined],
    ['0x7a69', 'eip155:31337'],
    ['31337', 'eip155:31337'],
    [137, 'eip155:137'],
    ['0x0', undefined],
    [0, undefined],
    [-1, undefined],
    [1.5, undefined],
    ['', undefined],
    ['0x', undefined],
    ['mainnet', undefined],
    ['0xffffffffffffffffff', undefined],
    [1n, undefined],
    [null, undefined],
    [['0x1'], undefined],
  ])('reads the chain id %s of a wallet as %s', (value, expected) => {
    expect(networkIdFromWallet(value)).toBe(expected)
  })

  it('never throws for any chain id', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const id = networkIdFromWallet(value)
        if (id !== undefined) expect(chainIdOf(id)).toBeGreaterThan(0)
      }),
    )
  })

  it('reads an exact balance, and rejects an invalid quantity', async () => {
    const chain = (result: unknown): ChainClient => ({
      networkId: 'eip155:1',
      rpc: { request: () => Promise.resolve(result) },
      esplora: { get: () => Promise.reject(new Error()), post: () => Promise.reject(new Error()) },
    })
    expect(await eip155.nativeBalance(chain('0x21e19e0c9bab2400001'), '0xa')).toBe(10_000_000_000_000_000_000_001n)
    for (const wrong of [null, 12, '12', '0x', '-0x1', {}])
      await expect(eip155.nativeBalance(chain(wrong), '0xa')).rejects.toThrow()
  })
})

describe('configureNetworks', () => {
  const sources = {
    additional: [
      {
        id: 'eip155:31337' as const,
        name: 'Devnet',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        testnet: false,
      },
    ],
    gatewayEndpoint: (id: string) => `https://gateway.example/v1/?chainId=${id}`,
    imageUrl: (id: string) => `https://gateway.example/image/${id}`,
  }

  it('1. resolves aliases, ids and the gateway’s own networks, and reports unknown ones', () => {
    const { list, unknown } = configureNetworks(
      ['base', 'eip155:1', 'eip155:31337', 'atlantis', 'eip155:999999998'],
      sources,
    )
    expect(list.map(({ caipNetworkId }) => caipNetworkId)).toEqual(['eip155:8453', 'eip155:1', 'eip155:31337'])
    expect(unknown).toEqual(['atlantis', 'eip155:999999998'])
  })

  it('2. a dapp’s definition cannot rename a known network or mark it as a testnet', () => {
    const attack = {
      name: 'Sepolia testnet',
      nativeCurrency: { name: 'Test Ether', symbol: 'tETH', decimals: 6 },
      blockExplorers: [{ name: 'Etherscan', url: 'https://etherscan.example' }],
      imageUrl: 'https://pictures.example/sepolia.png',
      rpcUrls: ['https://mine.example/rpc'],
      testnet: true,
    }
    const ids = ['eip155:1', 'eip155:31337', 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'] as const
    const named = configureNetworks([...ids], sources)
    const defined = configureNetworks(
      ids.map((id) => ({ ...attack, id })),
      sources,
    )
    const endpoints = { rpcUrls: attack.rpcUrls }
    const [mainnet, devnet, solana] = defined.list
    expect(mainnet).toEqual({ ...named.list[0], ...endpoints })
    expect(solana).toEqual({ ...named.list[2], ...endpoints })
    // Unless known, the dapp may add an explorer.
    expect(devnet).toEqual({ ...named.list[1], ...endpoints, blockExplorers: attack.blockExplorers })
    expect(defined.endpoints('eip155:1')).toEqual([...attack.rpcUrls, ...named.endpoints('eip155:1')])
  })

  it('2. uses the dapp’s definition of an unknown network, except for the decimals', () => {
    const nativeCurrency = { name: 'Play money', symbol: 'PLAY', decimals: 21 }
    const mine = (id: CaipNetworkId) => ({ id, name: 'Mine', nativeCurrency, testnet: true })
    const { list } = configureNetworks([mine('eip155:999999998'), mine('solana:unknown')], sources)
    expect(list).toMatchObject([
      { name: 'Mine', testnet: true, nativeCurrency: { ...nativeCurrency, decimals: 18 } },
      { name: 'Mine', testnet: true, nativeCurrency: { ...nativeCurrency, decimals: 9 } },
    ])
  })

  it('3. uses the dapp’s endpoints before the gateway’s', () => {
    const mine = {
      id: 'eip155:8453' as const,
      name: 'Base',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: ['https://mine.example/rpc'],
    }
    const networks = configureNetworks([mine, 'ethereum'], sources)
    expect(networks.endpoints('eip155:8453')).toEqual([
      'https://mine.example/rpc',
      'https://gateway.example/v1/?chainId=eip155:8453',
    ])
    expect(networks.endpoints('eip155:1')).toEqual(['https://gateway.example/v1/?chainId=eip155:1'])
    expect(networks.endpoints('eip155:10')).toEqual([])
  })

  it('4. removes duplicates, and finds only configured networks by alias and id', () => {
    const networks = configureNetworks(['base', 'eip155:8453', 'base'], sources)
    expect(networks.list).toHaveLength(1)
    expect(networks.find('base')?.caipNetworkId).toBe('eip155:8453')
    expect(networks.find('eip155:8453')?.caipNetworkId).toBe('eip155:8453')
    expect(networks.find('ethereum')).toBeUndefined()
    expect(networks.find('constructor')).toBeUndefined()
  })
})
