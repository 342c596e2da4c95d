import { CaipNetworkId } from '@postern/protocol'
import { expect, test } from 'vitest'
import { gatewayEnvironment } from '../../testing/devnet'
import { readBlockchain } from './config'
import { describeMoney, describeRouters, describeTokens } from './money'

const networks = ['eip155:1', 'eip155:31337', 'eip155:31338', 'solana:PosternDevnet1111111111111111111'].map((id) => ({
  id: CaipNetworkId.parse(id),
  upstreams: [],
}))

test('without configuration, offers swaps on built-in Uniswap networks, and no on-ramp or names', () => {
  const none = { swapChainIds: ['eip155:1'], onramp: false, nameSuffix: null }
  expect(describeMoney(readBlockchain({}, []), networks)).toEqual(none)
  expect(describeMoney(readBlockchain({}, []), networks.slice(1)).swapChainIds).toEqual([])
  const off = readBlockchain({ POSTERN_SWAPS: '{"eip155:1":null}' }, [])
  expect(describeMoney(off, networks).swapChainIds).toEqual([])
})

test('offers swaps on served networks with a router or an aggregator', () => {
  const config = readBlockchain(gatewayEnvironment({ evm: 1, evmTwo: 2, onramp: 3 }), [])
  const swapChainIds = ['eip155:1', 'eip155:31337', 'eip155:31338']
  expect(describeMoney(config, networks)).toEqual({ swapChainIds, onramp: true, nameSuffix: '.postern' })
  const api = JSON.stringify({ url: 'https://swaps.example', key: 'secret' })
  const aggregated = describeMoney(readBlockchain({ POSTERN_SWAP_API: api }, []), networks)
  expect(aggregated.swapChainIds).toEqual(['eip155:1'])
})

test('a hosted service offers its known swap networks, if the gateway serves them (spec §9)', () => {
  const config = readBlockchain({ POSTERN_HOSTED_API: 'https://api.example' }, [])
  expect(describeMoney(config, networks)).toEqual({ swapChainIds: ['eip155:1'], onramp: true, nameSuffix: null })
})

test('names the routers of the served networks to the wallet, and none of a hosted service', () => {
  const router = { networkId: 'eip155:1', address: '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D' }
  expect(describeRouters(readBlockchain({}, []), networks)).toEqual([router])
  const off = readBlockchain({ POSTERN_SWAPS: '{"eip155:1":null}' }, [])
  expect(describeRouters(off, networks)).toEqual([])
  expect(describeRouters(readBlockchain({ POSTERN_HOSTED_API: 'https://api.example' }, []), networks)).toEqual([])
})

test('lists the tokens of the served networks for the wallet, without the dollar tokens that it knows', () => {
  const token = (chainId: string, address: string, symbol: string) => ({
    chainId: CaipNetworkId.parse(chainId),
    address,
    name: symbol,
    symbol,
    decimals: 18,
  })
  const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
  const tokens = [
    token('eip155:1', weth, 'WETH'),
    token('eip155:1', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'USDC'),
    token('eip155:56', '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c', 'WBNB'),
  ]
  expect(describeTokens({ tokens }, networks)).toEqual([
    { networkId: 'eip155:1', address: weth, symbol: 'WETH', decimals: 18 },
  ])
})
