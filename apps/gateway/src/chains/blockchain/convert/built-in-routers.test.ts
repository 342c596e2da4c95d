import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtInNetworks } from '@postern/protocol'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { createTokenList, loadTokens } from '../tokens'
import { builtInRouters } from './built-in-routers'

const tokensFile = path.join(fileURLToPath(new URL('../../../../data', import.meta.url)), 'tokens.json')

test('every address has a valid checksum and is unique in its network', () => {
  for (const { router, factory, wrapped, dollar } of builtInRouters.values()) {
    const all = [router, factory, wrapped, dollar]
    expect(all.map((address) => getAddress(address.toLowerCase()))).toEqual(all)
    expect(new Set(all).size).toBe(4)
  }
})

test('every network is a built-in mainnet whose dollar is a listed token', async () => {
  const tokens = createTokenList(await loadTokens(tokensFile))
  const networks = new Map(Object.values(builtInNetworks).map((network) => [network.id, network]))
  expect(builtInRouters.size).toBe(7)
  for (const [id, { dollar, wrapped }] of builtInRouters) {
    expect(networks.get(id)?.testnet).not.toBe(true)
    expect(networks.has(id)).toBe(true)
    expect(tokens.find(id, dollar)?.symbol).toMatch(/^USD[CT]$/)
    // Polygon's list lacks its wrapped currency.
    if (id !== 'eip155:137') expect(tokens.find(id, wrapped)?.symbol).toMatch(/^W/)
    expect(tokens.of(id).length).toBeGreaterThan(2)
  }
})
