import { type NameProfile, nativeTokenAddress, type OnRampUrlQuery } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../services/http'
import { HttpError } from '../services/http'
import type { BlockchainApi } from '../snapshot/money'
import { createBlockchainApi } from './blockchain-api'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const account = `eip155:1:${address}`
const [from, to] = [`eip155:1:${nativeTokenAddress}`, account]
const gas = { gas: '21000', gasPrice: '1' }
const profile: NameProfile = { name: 'ada.postern', registered_at: '', addresses: {}, attributes: [] }
const money = { amount: '1', currency: 'USD' }
const wish: OnRampUrlQuery = {
  destinationWallets: [{ address, blockchains: ['ethereum'], assets: ['ETH'] }],
  defaultNetwork: 'ethereum',
  partnerUserId: 'a-random-purchase',
  defaultExperience: 'buy',
}

function service(answer: () => unknown) {
  const requests: unknown[] = []
  const call =
    (method: string): HttpClient['post'] =>
    async (path, { signal, ...options } = {}) => {
      requests.push([`${method} ${path}`, options])
      return answer()
    }
  const http: HttpClient = {
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    delete: call('DELETE'),
    blob: () => Promise.reject(new Error('Unexpected request for bytes')),
    url: (path) => path,
  }
  return { api: createBlockchainApi(http, 'demo'), requests }
}

type Row = readonly [
  call: string,
  ask: (api: BlockchainApi) => Promise<unknown>,
  options: Readonly<Record<string, unknown>>,
  answer: unknown,
]

const rows: readonly Row[] = [
  ['GET /v1/supported-chains', (api) => api.supportedChains(), {}, { http: ['eip155:1'], ws: [] }],
  [
    `GET /v1/identity/${address}`,
    (api) => api.identity({ address, chainId: 'eip155:1' }),
    { query: { chainId: 'eip155:1' } },
    { name: null, avatar: null },
  ],
  [
    `GET /v1/account/${address}/history`,
    (api) => api.history({ address, chainId: 'eip155:1', cursor: 'next' }),
    { query: { chainId: 'eip155:1', cursor: 'next' } },
    { data: [], next: null },
  ],
  [
    `GET /v1/account/${address}/balance`,
    (api) => api.balance({ address, chainId: 'eip155:1', forceUpdate: true }),
    { query: { currency: 'usd', chainId: 'eip155:1', forceUpdate: true } },
    { balances: [] },
  ],
  [
    `GET /v1/account/${address}/nfts`,
    (api) => api.nfts({ address, chainId: 'eip155:1' }),
    { query: { chainId: 'eip155:1' } },
    { nfts: [], next: null },
  ],
  ['GET /v1/convert/tokens', (api) => api.swapTokens('eip155:1'), { query: { chainId: 'eip155:1' } }, { tokens: [] }],
  [
    'GET /v1/convert/quotes',
    (api) => api.swapQuotes({ amount: '1', userAddress: account, from, to }),
    { query: { amount: '1', userAddress: account, from, to } },
    { quotes: [] },
  ],
  [
    'GET /v1/convert/allowance',
    (api) => api.swapAllowance({ tokenAddress: to, userAddress: account }),
    { query: { tokenAddress: to, userAddress: account } },
    { allowance: '0' },
  ],
  [
    'GET /v1/convert/gas-price',
    (api) => api.gasPrices('eip155:1'),
    { query: { chainId: 'eip155:1' } },
    { standard: '1', fast: '2', instant: '3' },
  ],
  [
    'POST /v1/convert/build-transaction',
    (api) => api.buildSwap({ amount: '1', from, to, userAddress: account, toAmount: '2' }),
    {
      body: {
        amount: '1',
        eip155: { slippage: 1 },
        projectId: 'demo',
        from,
        to,
        userAddress: account,
        toAmount: '2',
      },
    },
    { tx: { from: account, to, data: '0x', amount: '1', eip155: gas } },
  ],
  [
    'GET /v1/convert/build-approve',
    (api) => api.buildApprove({ userAddress: account, from, to, amount: '1' }),
    { query: { userAddress: account, from, to, amount: '1' } },
    { tx: { from: account, to, data: '0x', value: '0', eip155: gas } },
  ],
  [
    'POST /v1/fungible/price',
    (api) => api.prices([from]),
    { body: { currency: 'usd', addresses: [from], projectId: 'demo' } },
    { fungibles: [] },
  ],
  [
    'GET /v1/profile/account/ada.postern',
    (api) => api.name({ name: 'ada.postern', chainId: 'eip155:1' }),
    { query: { chainId: 'eip155:1' } },
    profile,
  ],
  [`GET /v1/profile/reverse/${address}`, (api) => api.namesOf(address), {}, [profile]],
  ['GET /v1/profile/suggestions/ada', (api) => api.nameSuggestions('ada'), {}, { suggestions: [] }],
  [
    'POST /v1/profile/account',
    (api) => api.registerName({ coin_type: 60, address, message: '{}', signature: '0x' }),
    { body: { coin_type: 60, address, message: '{}', signature: '0x' } },
    profile,
  ],
  [
    'POST /v1/profile/account/release',
    (api) => api.releaseName({ coin_type: 60, address, message: '{}', signature: '0x' }),
    { body: { coin_type: 60, address, message: '{}', signature: '0x' } },
    { name: 'ada.postern', free_from: '2026-04-15T12:00:00.000Z' },
  ],
  ['POST /v1/generators/onrampurl', (api) => api.onRampUrl(wish), { body: wish }, { url: 'https://sells.example/buy' }],
  ['GET /v1/onramp/options', (api) => api.onRampOptions(), {}, { paymentCurrencies: [], purchaseCurrencies: [] }],
  [
    'POST /v1/onramp/quote',
    (api) => api.onRampQuote({ purchaseCurrency: 'ETH', paymentCurrency: 'USD', amount: '50', network: 'ethereum' }),
    { body: { purchaseCurrency: 'ETH', paymentCurrency: 'USD', amount: '50', network: 'ethereum' } },
    {
      paymentTotal: money,
      paymentSubtotal: money,
      purchaseAmount: money,
      networkFee: money,
      serviceFee: money,
      quoteId: 'q',
    },
  ],
  ['GET /v1/onramp/purchases/a-purchase', (api) => api.onRampPurchases('a-purchase'), {}, { purchases: [] }],
  [`GET /v1/sessions/${encodeURIComponent(account)}`, (api) => api.smartSessions(account), {}, { pcis: [] }],
]

describe('the Blockchain API', () => {
  it.each(rows)('1. sends %s, and accepts interop’s response', async (call, ask, options, answer) => {
    const { api, requests } = service(() => answer)
    expect(await ask(api)).toEqual(answer)
    expect(requests).toEqual([[call, options]])
  })

  it.each(rows)('1. rejects a malformed response of %s', async (_, ask) => {
    await expect(ask(service(() => ({ html: '<p>' })).api)).rejects.toMatchObject({ code: 'INTERNAL' })
  })

  it('sends POST /v1/sessions/:address/revoke, whose response is empty', async () => {
    const { api, requests } = service(() => 'anything')
    await api.revokeSession(address, { pci: 'p', signature: '0x' })
    expect(requests).toEqual([[`POST /v1/sessions/${address}/revoke`, { body: { pci: 'p', signature: '0x' } }]])
  })

  it('encodes typed text as one path segment', async () => {
    const { api, requests } = service(() => profile)
    await api.name({ name: '../../admin?x=1#y' })
    expect(requests).toEqual([['GET /v1/profile/account/..%2F..%2Fadmin%3Fx%3D1%23y', { query: {} }]])
  })

  it('2. reports the service’s own message, otherwise its status', async () => {
    const refuse = (status: number, body: unknown) =>
      service(() => {
        throw new HttpError(status, body)
      }).api
    const reasons = [{ name: 'name', description: 'This name is taken' }]
    await expect(refuse(409, { status: 'error', reasons }).namesOf(address)).rejects.toMatchObject({
      code: 'HTTP_STATUS',
      message: 'This name is taken',
      data: { status: 409 },
    })
    await expect(refuse(503, null).revokeSession(address, { pci: 'p', signature: '0x' })).rejects.toMatchObject({
      code: 'HTTP_STATUS',
      message: 'HTTP status code: 503',
    })
  })

  it('3. returns null for an unknown name, and rejects on any other error', async () => {
    const answering = (status: number) =>
      service(() => {
        throw new HttpError(status, null)
      }).api
    expect(await answering(404).name({ name: 'ada.eth' })).toBeNull()
    await expect(answering(500).name({ name: 'ada.eth' })).rejects.toMatchObject({ code: 'HTTP_STATUS' })
    await expect(answering(404).namesOf(address)).rejects.toMatchObject({ code: 'HTTP_STATUS' })
  })
})
