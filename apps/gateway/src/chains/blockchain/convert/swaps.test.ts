import { CaipNetworkId } from '@postern/protocol'
import { expect, test } from 'vitest'
import type { KnownNetwork } from '../account'
import { createListing } from '../accounts/listing'
import { createTokenList } from '../tokens'
import { Aggregator } from './config'
import { createSwaps } from './swaps'

const chainId = CaipNetworkId.parse('eip155:1')
const dollar = {
  chainId,
  address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  name: 'USD Coin',
  symbol: 'USDC',
  decimals: 6,
}
const offered = [
  { ...dollar, name: 'anything' },
  { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', name: 'Dollar', symbol: 'USDС', decimals: 6 },
  { address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906', name: 'Visit claim-usdc.com', symbol: 'GIFT', decimals: 6 },
  { address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65', name: 'Saltmarsh', symbol: 'SALT', decimals: 18 },
]

test('5. an aggregator’s tokens have a listing', async () => {
  const network: KnownNetwork = {
    id: chainId,
    namespace: 'eip155',
    urls: [],
    isCommon: true,
    definition: { id: chainId, name: 'Ethereum', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
  }
  const aggregator = Aggregator.parse({ url: 'https://swaps.example/', key: 'key', networks: [chainId] })
  const swaps = createSwaps({
    config: { routers: new Map(), aggregator },
    networks: new Map([[chainId, network]]),
    upstreams: { exchange: async () => [] },
    tokens: createTokenList([dollar]),
    listingOf: createListing([dollar, network.definition.nativeCurrency]),
    gasPrices: () => Promise.reject(new Error('Unexpected request')),
    hasTokenImage: () => false,
    fetch: async () => Response.json({ tokens: Object.fromEntries(offered.map((token) => [token.address, token])) }),
    log: { warn: () => undefined },
    now: () => 0,
  })
  const tokens = await swaps.tokens(chainId)
  expect(tokens.map(({ symbol, listing }) => [symbol, listing])).toEqual([
    ['ETH', 'listed'],
    ['USDC', 'listed'],
    ['USDС', 'copy'],
    ['GIFT', 'phishing'],
    ['SALT', 'unlisted'],
  ])
})
