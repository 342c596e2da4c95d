import type { NetworkDefinition } from '@postern/protocol'
import { describe, expect, test } from 'vitest'
import { configureNetworks } from './networks'

const sources = {
  additional: [],
  gatewayEndpoint: (id: string) => `https://gateway/${id}`,
  imageUrl: (id: string) => id,
}
const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const chain = (id: NetworkDefinition['id']): NetworkDefinition => ({
  id,
  name: 'Chain',
  nativeCurrency,
  rpcUrls: ['https://library.example'],
  fallback: true,
})

describe('5. the endpoints of a chain of a library', () => {
  test('are left out for a known network', () => {
    const networks = configureNetworks([chain('eip155:1')], sources)
    expect(networks.endpoints('eip155:1')).toEqual(['https://gateway/eip155:1'])
    expect(networks.get('eip155:1')?.rpcUrls).toEqual(['https://gateway/eip155:1'])
  })

  test('serve an unknown one', () => {
    const networks = configureNetworks([chain('eip155:987654')], sources)
    expect(networks.endpoints('eip155:987654')).toEqual(['https://library.example', 'https://gateway/eip155:987654'])
    expect(networks.get('eip155:987654')?.name).toBe('Chain')
  })

  test('that the dapp chose itself come first', () => {
    const { fallback: _, ...own } = chain('eip155:1')
    expect(configureNetworks([own], sources).endpoints('eip155:1')).toEqual([
      'https://library.example',
      'https://gateway/eip155:1',
    ])
  })
})

test('a network has the id of its picture at the gateway, or the picture of its definition (spec §3)', () => {
  const own = { ...chain('eip155:987654'), imageUrl: 'https://dapp.example/chain.png' }
  const networks = configureNetworks([chain('eip155:1'), own], {
    ...sources,
    imageUrl: (id) => `https://gateway/${id}`,
  })
  expect(networks.list.map(({ assets }) => assets)).toEqual([
    { imageId: 'eip155:1', imageUrl: 'https://gateway/eip155:1' },
    { imageUrl: 'https://dapp.example/chain.png' },
  ])
})
