import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { generateNetworks } from '../../scripts/generate-networks'
import { Network } from '../entities/network'
import { NetworkDefinition } from '../entities/network-definition'
import { standardChains } from '../namespaces/standard-chains'
import { swapChainIds } from '../operations'
import { currentNetworkId, resolveNetwork, toNetwork } from './networks'
import { builtInNetworks } from './networks.gen'
import { builtInUpstreams } from './upstreams.gen'

const definitions = Object.values(builtInNetworks)

describe('the generated tables', () => {
  it.each(Object.entries(generateNetworks()))('%s matches a fresh run of the script', (file, text) => {
    expect(readFileSync(new URL(file, import.meta.url), 'utf8')).toBe(text)
  })

  it('have valid network definitions, with each id once (spec §3)', () => {
    for (const definition of definitions) expect(NetworkDefinition.safeParse(definition).error).toBeUndefined()
    expect(new Set(definitions.map(({ id }) => id)).size).toBe(definitions.length)
  })

  it('cover the networks in spec §9 and all swap networks', () => {
    const ids = definitions.map(({ id }) => id)
    const named = [1, 10, 42161, 137, 8453, 56, 43114, 324, 100, 42220, 1313161554, 7777777]
    for (const chainId of [...named, ...swapChainIds]) expect(ids).toContain(`eip155:${chainId}`)
    expect(definitions.filter(({ testnet }) => testnet).length).toBeGreaterThanOrEqual(15)
    expect(definitions.filter(({ testnet }) => !testnet).length).toBeGreaterThanOrEqual(40)
  })

  it("cover Solana's and Bitcoin's networks by their CAIP-2 ids (spec §9)", () => {
    const { solana, bitcoin } = builtInNetworks
    expect(toNetwork(solana)).toMatchObject({
      chainNamespace: 'solana',
      id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      nativeCurrency: { symbol: 'SOL', decimals: 9 },
      deprecatedCaipNetworkId: 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ',
    })
    expect(toNetwork(bitcoin)).toMatchObject({
      chainNamespace: 'bip122',
      id: '000000000019d6689c085ae165831e93',
      nativeCurrency: { symbol: 'BTC', decimals: 8 },
    })
    const tests = ['solana-devnet', 'solana-testnet', 'bitcoin-testnet', 'bitcoin-testnet4', 'bitcoin-signet'] as const
    for (const alias of tests) {
      expect(builtInNetworks[alias].testnet, alias).toBe(true)
      expect(builtInNetworks[alias].id.split(':')[1], alias).toHaveLength(32)
    }
    // Wallet Standard names must map to the same ids.
    for (const [name, id] of Object.entries(standardChains)) {
      if (/:(localnet|regtest)$/.test(name)) continue
      expect(resolveNetwork(id)?.id, name).toBe(id)
    }
  })

  it('have an https endpoint for every network, and a second one on another host for EVM (spec §7)', () => {
    for (const { id } of definitions) {
      const urls = (builtInUpstreams[id] ?? []).map((url) => new URL(url))
      for (const { protocol } of urls) expect(protocol).toBe('https:')
      const hosts = new Set(urls.map(({ host }) => host))
      expect(hosts.size, id).toBeGreaterThanOrEqual(id.startsWith('eip155:') ? 2 : 1)
    }
  })
})

describe('resolveNetwork', () => {
  it('accepts an alias or an id', () => {
    expect(resolveNetwork('ethereum')?.id).toBe('eip155:1')
    expect(resolveNetwork('eip155:8453')?.name).toBe('Base')
  })

  it.each(['', 'mainnet ', 'eip155:31337', 'constructor', '__proto__', 'toString', 'eip155:__proto__'])(
    'does not resolve %j',
    (name) => expect(resolveNetwork(name)).toBeNull(),
  )

  it('prefers additional networks, so that a gateway can define its own', () => {
    const devnet: NetworkDefinition = {
      id: 'eip155:31337',
      name: 'Postern Devnet',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    }
    const ownBase = { ...devnet, id: 'eip155:8453' as const, name: 'Our Base' }
    expect(resolveNetwork('eip155:31337', [devnet])).toBe(devnet)
    expect(resolveNetwork('base', [devnet, ownBase])?.name).toBe('Our Base')
  })

  it('finds a network by the id that older dapps send (spec §3)', () => {
    const solana: NetworkDefinition = {
      id: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      name: 'Solana',
      nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
    }
    const old = 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'
    expect(currentNetworkId(old)).toBe(solana.id)
    expect(resolveNetwork(old, [solana])).toBe(solana)
    expect(toNetwork(solana).deprecatedCaipNetworkId).toBe(old)
  })
})

describe('toNetwork', () => {
  it('returns the network of spec §3', () => {
    const network = toNetwork(builtInNetworks['base-sepolia'])
    expect(Network.safeParse(network).error).toBeUndefined()
    expect(network).toMatchObject({ id: 84532, chainNamespace: 'eip155', caipNetworkId: 'eip155:84532', testnet: true })
  })

  it("keeps the dapp's endpoints", () => {
    const rpcUrls = ['https://rpc.example.com/key']
    expect(toNetwork({ ...builtInNetworks.base, rpcUrls }).rpcUrls).toEqual(rpcUrls)
  })
})
