import type { Network, TokenBalance } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { LinkFailure } from '../../link/failure'
import { testMoney } from '../testing/test-money'
import { loadPortfolio } from './load-portfolio'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const network: Network = {
  id: 1,
  name: 'Ethereum',
  chainNamespace: 'eip155',
  caipNetworkId: 'eip155:1',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: [],
  blockExplorers: [],
  testnet: false,
}
const ether: TokenBalance = {
  name: 'Ether',
  symbol: 'ETH',
  chainId: 'eip155:1',
  price: 2_500,
  value: 2_500,
  quantity: { decimals: '18', numeric: '1' },
  iconUrl: '',
}
const dollar: TokenBalance = {
  ...ether,
  name: 'Dollar',
  symbol: 'USD',
  address: 'eip155:1:0x01',
  price: 1,
  value: 9_000,
}

const metadata = { name: 'Gem', symbol: 'GEM', decimals: 6, price: 2, iconUrl: '' }
const asset = { address: '0x02', balance: '0x1e8480', type: 'ERC20', metadata }

function wallet(assets: unknown, supported = true) {
  const asked: string[] = []
  return {
    asked,
    request: async (_: string, method: string, params: unknown) => {
      asked.push(`${method} ${JSON.stringify(params)}`)
      return method === 'wallet_getCapabilities' ? { '0x1': { assetDiscovery: { supported } } } : assets
    },
  }
}

describe('loadPortfolio', () => {
  it('1. asks a wallet that discovers assets, for this chain', async () => {
    const { asked, request } = wallet({ '0x1': [asset, { ...asset, type: 'NATIVE', balance: '0x0' }] })
    const { balances, partial } = await loadPortfolio(testMoney({ request }), { network, address })
    expect(partial).toBe(false)
    expect(balances.map(({ address: token, quantity }) => [token, quantity.numeric])).toEqual([
      [undefined, '0'],
      ['eip155:1:0x02', '2'],
    ])
    expect(asked).toEqual([
      `wallet_getCapabilities ["${address}",["0x1"]]`,
      `wallet_getAssets [{"account":"${address}","chainFilter":["0x1"]}]`,
    ])
  })

  it.each([
    ['one asset of another shape', wallet({ '0x1': [asset, { ...asset, balance: 12 }] })],
    ['nonsense', wallet('nothing')],
    ['no discovery', wallet({ '0x1': [asset] }, false)],
    ['no such method', { request: () => Promise.reject(new LinkFailure('UNSUPPORTED_METHOD')) }],
  ])('2. asks the service where the wallet answers with %s', async (_, { request }) => {
    const balance = async () => ({ balances: [ether, dollar] })
    const { balances } = await loadPortfolio(testMoney({ request, api: { balance } }), { network, address })
    expect(balances.map(({ symbol }) => symbol)).toEqual(['USD', 'ETH'])
  })

  it('2. asks anew only when that is wanted, and takes nothing of another network', async () => {
    const asked: unknown[] = []
    const balance = async (query: unknown) => {
      asked.push(query)
      return { balances: [ether, { ...ether, chainId: 'eip155:10' as const }] }
    }
    const money = testMoney({ api: { balance } })
    expect((await loadPortfolio(money, { network, address })).balances).toEqual([ether])
    await loadPortfolio(money, { network, address, fresh: true })
    expect(asked).toEqual([
      { address, chainId: 'eip155:1' },
      { address, chainId: 'eip155:1', forceUpdate: true },
    ])
  })

  it('3. shows the native balance where the service fails, and says that there may be more', async () => {
    const client: ReturnType<typeof testMoney>['client'] = (networkId) => ({
      networkId,
      rpc: { request: async () => '0xde0b6b3a7640000' },
      esplora: { get: unasked, post: unasked },
    })
    const { balances, partial } = await loadPortfolio(testMoney({ client }), { network, address })
    expect(partial).toBe(true)
    expect(balances).toEqual([
      {
        name: 'Ether',
        symbol: 'ETH',
        chainId: 'eip155:1',
        price: 0,
        quantity: { decimals: '18', numeric: '1' },
        iconUrl: '',
      },
    ])
  })

  it('3. fails in the words of the catalogue where nobody answers', async () => {
    await expect(loadPortfolio(testMoney(), { network, address })).rejects.toMatchObject({
      code: 'TOKEN_BALANCE_UNAVAILABLE',
    })
  })

  it('4. drops tokens with zero decimals', async () => {
    const points = { ...dollar, name: 'Points', quantity: { decimals: '0', numeric: '7' } }
    const balance = async () => ({ balances: [points, ether] })
    expect((await loadPortfolio(testMoney({ api: { balance } }), { network, address })).balances).toEqual([ether])
  })
})

const unasked = () => Promise.reject(new LinkFailure('INTERNAL'))
