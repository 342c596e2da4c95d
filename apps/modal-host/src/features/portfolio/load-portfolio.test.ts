import { manualClock } from '@postern/base/testing/manual-clock'
import type { Network, TokenBalance } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it, vi } from 'vitest'
import { testMoney } from '../testing/test-money'
import { ethereum as network } from '../testing/test-networks'
import { loadHoldings } from './load-portfolio'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
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
  quantity: { decimals: '6', numeric: '9000' },
}

const metadata = { name: 'Gem', symbol: 'GEM', decimals: 6, price: 2, iconUrl: '' }
const asset = { address: '0x02', balance: '0x1e8480', type: 'ERC20', metadata }

function wallet(assets: unknown, supported = true) {
  const requests: string[] = []
  return {
    requests,
    request: async (_: string, method: string, params: unknown) => {
      requests.push(`${method} ${JSON.stringify(params)}`)
      return method === 'wallet_getCapabilities' ? { '0x1': { assetDiscovery: { supported } } } : assets
    },
  }
}

const holdings = (money: Parameters<typeof loadHoldings>[0], fresh = false) =>
  loadHoldings(money, [{ address, networks: [network], mayQueryWallet: true }], fresh)

describe('loadHoldings', () => {
  it('1. asks a wallet that supports asset discovery on this chain (spec §7)', async () => {
    const { requests, request } = wallet({ '0x1': [asset, { ...asset, type: 'NATIVE', balance: '0x0' }] })
    const { balances, partial } = await holdings(testMoney({ request }))
    expect(partial).toBe(false)
    expect(balances.map(({ address: token, quantity }) => [token, quantity.numeric])).toEqual([
      ['eip155:1:0x02', '2'],
      [undefined, '0'],
    ])
    expect(requests).toEqual([
      `wallet_getCapabilities ["${address}",["0x1"]]`,
      `wallet_getAssets [{"account":"${address}","chainFilter":["0x1"]}]`,
    ])
  })

  it.each([
    ['one asset of another shape', wallet({ '0x1': [asset, { ...asset, balance: 12 }] })],
    ['nonsense', wallet('nothing')],
    ['no discovery', wallet({ '0x1': [asset] }, false)],
    ['no such method', { request: () => Promise.reject(new Failure('UNSUPPORTED_METHOD')) }],
  ])('2. asks the service if the wallet responds with %s (spec §5)', async (_, { request }) => {
    const balance = async () => ({ balances: [ether, dollar] })
    const { balances } = await holdings(testMoney({ request, api: { balance } }))
    expect(balances.map(({ symbol }) => symbol)).toEqual(['USD', 'ETH'])
  })

  it('1. waits 3 s for a silent wallet, and does not ask it again', async () => {
    const clock = manualClock()
    let requests = 0
    const request = () => {
      requests += 1
      return new Promise<never>(() => {})
    }
    const money = testMoney({ request, clock, api: { balance: async () => ({ balances: [ether] }) } })
    const first = holdings(money)
    clock.advance(3_000)
    expect((await first).balances).toEqual([ether])
    expect((await holdings(money)).balances).toEqual([ether])
    expect(requests).toBe(1)
    expect(clock.pending()).toBe(0)
  })

  it('1. asks a wallet for several chains at once, and the service for the ones it lacks (spec §7)', async () => {
    const { request } = wallet({ '0x1': [asset] })
    const other: Network = { ...network, id: 10, caipNetworkId: 'eip155:10' }
    const onOptimism: TokenBalance = { ...ether, chainId: 'eip155:10' }
    const requests: unknown[] = []
    const balance = async (query: unknown) => {
      requests.push(query)
      return { balances: [onOptimism, ether] }
    }
    const scope = { address, networks: [network, other], mayQueryWallet: true }
    const { balances } = await loadHoldings(testMoney({ request, api: { balance } }), [scope], false)
    expect(balances.map(({ symbol, chainId }) => `${symbol} ${chainId}`)).toEqual(['ETH eip155:10', 'GEM eip155:1'])
    expect(requests).toEqual([
      { address, chainId: 'eip155:1' },
      { address, chainId: 'eip155:10' },
    ])
  })

  it('2. asks once for several networks, drops others, and does not ask the embedded wallet', async () => {
    const requests: unknown[] = []
    const balance = async (query: unknown) => {
      requests.push(query)
      return {
        balances: [ether, { ...ether, chainId: 'eip155:10' as const }, { ...ether, chainId: 'eip155:8453' as const }],
      }
    }
    const other: Network = { ...network, id: 10, caipNetworkId: 'eip155:10' }
    const { request, requests: ofWallet } = wallet({})
    const scope = { address, networks: [network, other], mayQueryWallet: false }
    const { balances } = await loadHoldings(testMoney({ request, api: { balance } }), [scope], false)
    expect(balances.map(({ chainId }) => chainId)).toEqual(['eip155:1', 'eip155:10'])
    expect(requests).toEqual([{ address }])
    expect(ofWallet).toEqual([])
  })

  it('3. is partial if one of several accounts fails', async () => {
    const balance = async (query: { readonly address: string }) => {
      if (query.address !== address) throw new Failure('HTTP_STATUS')
      return { balances: [ether] }
    }
    const scope = { networks: [network], mayQueryWallet: false }
    const scopes = [
      { ...scope, address },
      { ...scope, address: '0x02' },
    ]
    expect(await loadHoldings(testMoney({ api: { balance } }), scopes, false)).toEqual({
      balances: [ether],
      partial: true,
    })
  })

  it('2. bypasses the service’s cache only on request, and drops other networks', async () => {
    const requests: unknown[] = []
    const balance = async (query: unknown) => {
      requests.push(query)
      return { balances: [ether, { ...ether, chainId: 'eip155:10' as const }] }
    }
    const money = testMoney({ api: { balance } })
    expect((await holdings(money)).balances).toEqual([ether])
    await holdings(money, true)
    expect(requests).toEqual([
      { address, chainId: 'eip155:1' },
      { address, chainId: 'eip155:1', forceUpdate: true },
    ])
  })

  it('3. falls back to the native balance if the service fails, and is partial', async () => {
    const { balances, partial } = await holdings(testMoney({ client: wealthy }))
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

  it('3. reads the chain for a network that the service does not cover', async () => {
    const balance = async () => ({ balances: [] })
    const found = await holdings(testMoney({ client: wealthy, api: { balance } }))
    expect(found.partial).toBe(true)
    expect(found.balances).toMatchObject([{ symbol: 'ETH', price: 0, quantity: { numeric: '1' } }])
  })

  it('3. is partial and empty, not a failure, if neither the service nor the chain covers a network', async () => {
    const balance = async () => ({ balances: [] })
    expect(await holdings(testMoney({ api: { balance } }))).toEqual({
      balances: [],
      partial: true,
    })
  })

  it.each([
    ['covered, and empty', async () => ({ http: ['eip155:1', 'eip155:10'], ws: [] }), [], false],
    ['not covered', async () => ({ http: ['eip155:1'], ws: [] }), ['eip155:10'], true],
    ['of a service that does not say what it covers', () => Promise.reject(new Failure('HTTP_STATUS')), [], true],
  ])('3. handles a network among several that is %s (spec §7)', async (_, supportedChains, natives, partial) => {
    const other: Network = { ...network, id: 10, caipNetworkId: 'eip155:10' }
    const api = { balance: async () => ({ balances: [ether] }), supportedChains: vi.fn(supportedChains) }
    const money = testMoney({ client: wealthy, api })
    const scope = { address, networks: [network, other], mayQueryWallet: false }
    const found = await loadHoldings(money, [scope], false)
    expect(found.balances.map(({ chainId }) => chainId)).toEqual(['eip155:1', ...natives])
    expect(found.partial).toBe(partial)
    await loadHoldings(money, [scope], false)
    // A failed lookup may be repeated.
    expect(api.supportedChains).toHaveBeenCalledTimes(partial && natives.length === 0 ? 2 : 1)
  })

  it('3. rejects with a catalogue code if no source responds', async () => {
    await expect(holdings(testMoney())).rejects.toMatchObject({
      code: 'TOKEN_BALANCE_UNAVAILABLE',
    })
  })

  it('5. takes the listing of a wallet’s tokens from the service', async () => {
    const named = (token: string, listing?: TokenBalance['listing']) => ({ ...dollar, address: token, listing })
    const { request } = wallet({
      '0x1': ['0x0A', '0x0b', '0x0c', '0x0d']
        .map((of) => ({ ...asset, address: of }))
        .concat({ ...asset, type: 'NATIVE' }),
    })
    const balances = [named('eip155:1:0x0a', 'phishing'), named('eip155:1:0x0b', 'copy'), named('eip155:1:0x0c')]
    const requests: unknown[] = []
    const balance = async (query: unknown) => {
      requests.push(query)
      return { balances }
    }
    const found = await holdings(testMoney({ request, api: { balance } }))
    expect(Object.fromEntries(found.balances.map(({ address: of, listing }) => [of, listing]))).toEqual({
      'eip155:1:0x0A': 'phishing',
      'eip155:1:0x0b': 'copy',
      'eip155:1:0x0c': 'listed',
      'eip155:1:0x0d': 'unlisted',
      undefined: undefined,
    })
    expect(requests).toEqual([{ address, chainId: 'eip155:1' }])
  })

  it('5. lists a wallet’s tokens as unlisted if the service does not answer', async () => {
    const { request } = wallet({ '0x1': [asset] })
    expect((await holdings(testMoney({ request }))).balances).toMatchObject([{ symbol: 'GEM', listing: 'unlisted' }])
  })

  it('6. drops tokens with zero decimals', async () => {
    const points = { ...dollar, name: 'Points', quantity: { decimals: '0', numeric: '7' } }
    const balance = async () => ({ balances: [points, ether] })
    expect((await holdings(testMoney({ api: { balance } }))).balances).toEqual([ether])
  })
})

const wealthy: ReturnType<typeof testMoney>['client'] = (networkId) => ({
  networkId,
  rpc: { request: async () => '0xde0b6b3a7640000' },
  esplora: { get: fail, post: fail },
})

const fail = () => Promise.reject(new Failure('INTERNAL'))
