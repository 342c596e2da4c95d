import { blockchainAnswers as answers, ErrorBody } from '@postern/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app'
import { type BlockchainTest, startBlockchain } from '../../../testing/blockchain'
import { devnetContracts, freePorts } from '../../../testing/devnet'
import { buyer, order, partnerUserId } from '../../../testing/purchase'

const post = (app: TestApp, path: string, body: unknown, query = '') => app.post(`${path}?projectId=demo${query}`, body)
const reason = async (response: Response) => [response.status, ErrorBody.parse(await response.json()).reasons[0]?.name]

const ports = await freePorts('evm', 'evmTwo', 'onramp')

describe('with the devnet’s provider', () => {
  const rpcUrl = `http://127.0.0.1:${ports.evm}`
  let chains: BlockchainTest
  beforeAll(async () => {
    // real time: the devnet's on-ramp checks tokens by the system's clock.
    chains = await startBlockchain(ports, {}, { now: Date.now })
  })
  afterAll(() => chains.stop())
  const fault = (kind: string) =>
    fetch(`http://127.0.0.1:${ports.onramp}/devnet/fault`, { method: 'POST', body: JSON.stringify({ kind }) })
  afterEach(() => fault('none'))

  test('lists options with limits, on networks that the gateway serves', async () => {
    const { paymentCurrencies, purchaseCurrencies } = await chains.get('/v1/onramp/options', answers.onRampOptions)
    expect(paymentCurrencies.find(({ id }) => id === 'USD')?.payment_method_limits).toContainEqual({
      id: 'card',
      min: '5',
      max: '500',
    })
    const dollar = purchaseCurrencies.find(({ symbol }) => symbol === 'DUSD')
    expect(dollar?.networks).toContainEqual({
      name: 'postern-31337',
      display_name: 'Postern Devnet',
      chain_id: '31337',
      contract_address: devnetContracts.dollar,
    })
  })

  test('quotes to the cent, and rejects amounts outside the limits', async () => {
    const query = { purchaseCurrency: 'DUSD', paymentCurrency: 'USD', amount: '100', network: 'postern-31337' }
    const quote = answers.onRampQuote.parse(await (await post(chains.app, '/v1/onramp/quote', query)).json())
    expect(quote).toMatchObject({
      paymentTotal: { amount: '100.00', currency: 'USD' },
      purchaseAmount: { amount: '98.75', currency: 'DUSD' },
      serviceFee: { amount: '1.00', currency: 'USD' },
      networkFee: { amount: '0.25', currency: 'USD' },
    })
    expect(await reason(await post(chains.app, '/v1/onramp/quote', { ...query, amount: '500.01' }))).toEqual([
      400,
      'onramp',
    ])
    expect((await post(chains.app, '/v1/onramp/quote', { ...query, amount: '1e3' })).status).toBe(400)
    expect((await post(chains.app, '/v1/onramp/quote', { ...query, amount: 100 })).status).toBe(400)
  })

  test('delivers on the chain, returns to the dapp, and shows the purchase only to its project', async () => {
    const balance = async () => {
      const data = `0x70a08231${buyer.slice(2).toLowerCase().padStart(64, '0')}`
      const body = {
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_call',
        params: [{ to: devnetContracts.dollar, data }, 'latest'],
      }
      const response = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return BigInt(JSON.parse(await response.text()).result)
    }
    const before = await balance()
    // The project's default ancestors allow this loopback page.
    const redirectUrl = 'http://demo.localhost:4500/back?ok=1'
    const answer = await post(chains.app, '/v1/generators/onrampurl', {
      ...order,
      redirectUrl,
      presetFiatAmount: '100',
    })
    const { url } = answers.onRampUrl.parse(await answer.json())
    const link = new URL(url)
    expect(link.origin).toBe(`http://onramp.localhost:${ports.onramp}`)
    expect(link.searchParams.get('partnerUserRef')).not.toContain('ada')
    link.hostname = '127.0.0.1'
    const page = await (await fetch(link)).text()
    const [, id = ''] = /name="order" value="([^"]+)"/.exec(page) ?? []
    const fields = { order: id, choice: '0', amount: '100', currency: 'USD', answer: 'pay' }
    const paid = await fetch(`http://127.0.0.1:${ports.onramp}/buy`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
    expect(paid.headers.get('location')).toBe(redirectUrl)
    expect(await balance()).toBe(before + 98_750_000n)
    const path = `/v1/onramp/purchases/${partnerUserId}`
    const { purchases } = await chains.get(path, answers.onRampPurchases)
    expect(purchases).toEqual([
      {
        status: 'delivered',
        hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        symbol: 'DUSD',
        network: 'postern-31337',
        amount: '98.75',
      },
    ])
    const other = await chains.app.get(`${path}?projectId=strict`)
    expect(await other.json()).toEqual({ purchases: [] })
    expect((await fetch(link)).status).toBe(400)
  })

  test('reports a provider that is down', async () => {
    await fault('down')
    expect(await reason(await chains.app.get('/v1/onramp/options?projectId=demo&country=DE'))).toEqual([502, 'onramp'])
    expect(await reason(await post(chains.app, '/v1/generators/onrampurl', order))).toEqual([502, 'onramp'])
    await fault('none')
    expect((await chains.app.get('/v1/onramp/options?projectId=demo&country=DE')).status).toBe(200)
  })
})

test('the return page closes itself, and repeats no parameter', async () => {
  const app = await startTestApp()
  const response = await app.get('/onramp/done?error=<script>alert(1)</script>')
  const html = await response.text()
  expect(response.status).toBe(200)
  expect(html).toContain('<script src="/onramp.js" defer>')
  expect(html).not.toContain('alert')
  const csp = response.headers.get('Content-Security-Policy')
  expect(csp).toContain("frame-ancestors 'none'")
  expect(csp).toContain("script-src 'self'")
  expect(await (await app.get('/onramp.js')).text()).toContain('window.close()')
  await app.close()
})

test('without an on-ramp, options are empty and links return 404', async () => {
  const app = await startTestApp()
  expect(await (await app.get('/v1/onramp/options?projectId=demo')).json()).toEqual({
    paymentCurrencies: [],
    purchaseCurrencies: [],
  })
  expect(await (await app.get(`/v1/onramp/purchases/${partnerUserId}?projectId=demo`)).json()).toEqual({
    purchases: [],
  })
  expect((await post(app, '/v1/generators/onrampurl', order)).status).toBe(404)
  await app.close()
})
