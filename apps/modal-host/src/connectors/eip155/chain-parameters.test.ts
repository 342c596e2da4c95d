import { type ConfiguredNetwork, configureNetworks } from '@postern/chains/networks'
import type { NetworkDefinition } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { addChainParameters } from './chain-parameters'

const secret = 'https://rpc.example/v2/SECRET_KEY'
const open = 'https://rpc.example/public'
const own: NetworkDefinition = {
  id: 'eip155:987654',
  name: 'Own',
  nativeCurrency: { name: 'Own', symbol: 'OWN', decimals: 18 },
  rpcUrls: [secret],
}

async function urlsFor(definition: NetworkDefinition, additional: readonly NetworkDefinition[] = []) {
  const networks = configureNetworks([definition], {
    additional,
    gatewayEndpoint: (id) => `https://gateway/${id}`,
    imageUrl: (id) => id,
  })
  const [network] = networks.list
  if (network === undefined) throw new Error('There is no network')
  return (await addChainParameters(network satisfies ConfiguredNetwork)).rpcUrls
}

describe('the endpoints that a wallet gets', () => {
  it('1. are public ones of a built-in network, and never the dapp’s', async () => {
    const urls = await urlsFor({ ...own, id: 'eip155:8453' })
    expect(urls).toContain('https://mainnet.base.org')
    expect(JSON.stringify(urls)).not.toMatch(/SECRET_KEY|gateway/)
    expect(await urlsFor({ ...own, id: 'eip155:8453', publicRpcUrls: [open] })).toEqual(urls)
  })

  it('2. are those named for wallets, or else rpcUrls, of another network', async () => {
    expect(await urlsFor({ ...own, publicRpcUrls: [open] })).toEqual([open])
    expect(await urlsFor(own)).toEqual([secret])
    expect(await urlsFor({ ...own, publicRpcUrls: [] })).toEqual([secret])
  })

  it('2. are the operator’s for a network of the gateway, unless the dapp names some', async () => {
    const operators = { ...own, rpcUrls: ['https://operator.example'] }
    expect(await urlsFor(own, [operators])).toEqual(['https://operator.example'])
    expect(await urlsFor(own, [{ ...operators, publicRpcUrls: ['https://wallets.example'] }])).toEqual([
      'https://wallets.example',
    ])
    expect(await urlsFor({ ...own, publicRpcUrls: [open] }, [operators])).toEqual([open])
  })
})
