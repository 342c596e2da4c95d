import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { blockchainAnswers as answers, ErrorBody } from '@postern/protocol'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { modalOrigin, startTestApp, type TestApp } from '../../../testing/app'
import { noon } from '../../../testing/clock'
import { noBlockchain } from '../../../testing/no-blockchain'
import { buyer, order, partnerUserId } from '../../../testing/purchase'
import { readOnRamp } from './config'
import { partnerUserOf } from './routes'

const reason = async (response: Response) => [response.status, ErrorBody.parse(await response.json()).reasons[0]?.name]

describe('with a provider of the documented API', () => {
  type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string }
  const seen: Seen[] = []
  let answer: { status: number; body: string; headers?: Record<string, string> } = { status: 200, body: '{}' }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = String(privateKey.export({ type: 'sec1', format: 'pem' }))
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  let app: TestApp
  let host = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    host = `127.0.0.1:${portOf(server.address())}`
    const problems: string[] = []
    const text = JSON.stringify({
      api: `http://${host}/onramp/v1`,
      keyId: 'organizations/1/apiKeys/2',
      privateKey: pem,
      subdivision: 'CA',
    })
    const onramp = readOnRamp(text, false, problems)
    app = await startTestApp({
      blockchain: { ...noBlockchain, onramp },
      networks: ['eip155:1', 'eip155:8453', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'].map((id) => ({
        id: id.startsWith('solana') ? `solana:${id.slice(7)}` : `eip155:${id.slice(7)}`,
        upstreams: [],
      })),
      clientIp: () => '2001:db8::7',
    })
  })
  afterAll(async () => {
    await app.close()
    await new Promise((resolve) => server.close(resolve))
  })
  afterEach(() => {
    seen.length = 0
    answer = { status: 200, body: '{}' }
  })
  const say = (body: unknown, status = 200) => {
    answer = { status, body: JSON.stringify(body) }
  }
  const url = async (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    app.request('/v1/generators/onrampurl?projectId=demo', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ ...order, ...changes }),
    })

  test('signs each call separately, for two minutes', async () => {
    say({ token: 'once', channel_id: '' })
    await url()
    await url()
    const tokens = seen.map(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? '')
    const verified = await Promise.all(
      tokens.map((token) => jwtVerify(token, publicKey, { algorithms: ['ES256'], currentDate: new Date(noon) })),
    )
    for (const { payload, protectedHeader } of verified) {
      expect(payload).toMatchObject({
        iss: 'cdp',
        sub: 'organizations/1/apiKeys/2',
        uri: `POST ${host}/onramp/v1/token`,
      })
      expect((payload.exp ?? 0) - (payload.nbf ?? 0)).toBe(120)
      expect(protectedHeader).toMatchObject({ kid: 'organizations/1/apiKeys/2', typ: 'JWT' })
    }
    const nonces = tokens.map((token) => JSON.stringify(decodeProtectedHeader(token)))
    expect(new Set(nonces).size).toBe(2)
  })

  test('opens the session for the caller’s real address, whatever its headers claim', async () => {
    say({ token: 'once' })
    await url({}, { 'X-Forwarded-For': '198.51.100.1', 'X-Real-IP': '198.51.100.1' })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      addresses: [{ address: buyer, blockchains: ['postern-31337'] }],
      assets: ['DUSD'],
      clientIp: '2001:db8::7',
    })
  })

  test('links to the provider’s page with only the requested parameters', async () => {
    say({ token: 'to/k+en==' })
    const response = await url({
      defaultNetwork: 'base&redirectUrl=https://evil.test',
      fiatCurrency: 'eur',
      presetCryptoAmount: '0.5',
    })
    const link = new URL(answers.onRampUrl.parse(await response.json()).url)
    expect(`${link.origin}${link.pathname}`).toBe('https://pay.coinbase.com/buy/select-asset')
    expect(Object.fromEntries(link.searchParams)).toEqual({
      sessionToken: 'to/k+en==',
      partnerUserRef: partnerUserOf('demo', partnerUserId),
      defaultExperience: 'buy',
      defaultNetwork: 'base&redirectUrl=https://evil.test',
      presetCryptoAmount: '0.5',
      fiatCurrency: 'EUR',
      redirectUrl: `${modalOrigin}/onramp/done`,
    })
    expect(partnerUserOf('demo', partnerUserId).length).toBeLessThan(50)
  })

  test.each([
    ['a page of the project', 'https://app.example.com/back?step=2', 200],
    ['a preview of it', 'https://one.preview.example.com/', 200],
    ['the modal’s own site', `${modalOrigin}/back`, 200],
    ['a stranger', 'https://evil.test/', 400],
    ['a stranger who looks like it', 'https://app.example.com.evil.test/', 400],
    ['a stranger behind its name', 'https://app.example.com@evil.test/', 400],
    ['its name as a user of itself', 'https://user:pass@app.example.com/', 400],
    ['another port', 'https://app.example.com:8443/', 400],
    ['no TLS', 'http://app.example.com/', 400],
    ['two labels', 'https://a.b.preview.example.com/', 400],
    ['a script', 'javascript:alert(document.domain)', 400],
    ['data', 'data:text/html,x', 400],
    ['no scheme', '//evil.test', 400],
    ['a backslash', 'https://evil.test\\@app.example.com/', 400],
    ['a path', '/back', 400],
    ['nothing', '', 400],
  ])('returns only to allowed pages: %s', async (_, redirectUrl, status) => {
    say({ token: 'once' })
    const response = await url({ redirectUrl })
    expect(response.status).toBe(status)
    if (status === 200) {
      const { url: made } = answers.onRampUrl.parse(await response.json())
      expect(new URL(made).searchParams.get('redirectUrl')).toBe(redirectUrl)
    } else {
      expect(await reason(response)).toEqual([400, 'redirectUrl'])
      expect(seen).toEqual([])
    }
  })

  test.each<[string, Record<string, unknown>]>([
    ['no destination', { destinationWallets: [] }],
    ['too many', { destinationWallets: Array.from({ length: 21 }, () => order.destinationWallets[0]) }],
    ['an id that can be guessed', { partnerUserId: 'ada' }],
    ['an id that is a path', { partnerUserId: '../../buy/user/other' }],
    ['another experience', { defaultExperience: 'send' }],
    ['an invalid amount', { presetFiatAmount: '1e9' }],
    ['a negative amount', { presetCryptoAmount: '-1' }],
    ['an invalid currency', { fiatCurrency: 'dollars' }],
  ])('%s is refused before the seller is asked', async (_, changes) => {
    expect((await url(changes)).status).toBe(400)
    expect(seen).toEqual([])
  })

  test('sends nothing for a page that the project does not allow', async () => {
    expect((await url({}, { Origin: 'https://evil.test' })).status).toBe(403)
    expect(seen).toEqual([])
  })

  test('maps networks to our ids, and leaves out those that the gateway does not serve', async () => {
    const network = (name: string, chain_id: string) => ({
      name,
      display_name: name,
      chain_id,
      contract_address: '',
      icon_url: 'https://x.test/i.png',
    })
    say({
      payment_currencies: [
        {
          id: 'USD',
          payment_method_limits: [
            { id: 'CARD', min: '2', max: '7500' },
            { id: 'ACH', min: 'none', max: '1' },
          ],
        },
      ],
      purchase_currencies: [
        {
          id: 'uuid-1',
          name: 'USDC',
          symbol: 'USDC',
          icon_url: '',
          networks: [network('base', '8453'), network('solana', '0'), network('polygon', '137')],
        },
        { id: 'uuid-2', name: 'XRP', symbol: 'XRP', icon_url: '', networks: [network('ripple', '0')] },
      ],
    })
    const response = await app.get('/v1/onramp/options?projectId=demo&country=FR')
    const { paymentCurrencies, purchaseCurrencies } = answers.onRampOptions.parse(await response.json())
    expect(seen.map(({ method, url: target }) => `${method} ${target}`)).toEqual([
      'GET /onramp/v1/buy/options?country=FR',
    ])
    expect(paymentCurrencies).toEqual([{ id: 'USD', payment_method_limits: [{ id: 'card', min: '2', max: '7500' }] }])
    expect(purchaseCurrencies.map(({ symbol }) => symbol)).toEqual(['USDC'])
    expect(purchaseCurrencies[0]?.networks.map(({ chain_id }) => chain_id)).toEqual([
      '8453',
      'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    ])
    await app.get('/v1/onramp/options?projectId=demo&country=FR')
    expect(seen).toHaveLength(1)
    await app.get('/v1/onramp/options?projectId=demo')
    expect(seen.at(-1)?.url).toBe('/onramp/v1/buy/options?country=US&subdivision=CA')
    expect((await app.get('/v1/onramp/options?projectId=demo&country=../x')).status).toBe(400)
  })

  test.each([
    ['a refusal of the key', 401, '{"message":"Unauthorized"}'],
    ['an error of its own', 500, 'oops'],
    ['no JSON', 200, '<html>'],
    ['another shape', 200, '{"token": 5}'],
    ['a token that would break out', 200, '{"token":"a b<script>"}'],
    ['more than fits', 200, `{"token":"${'a'.repeat(3_000_000)}"}`],
  ])('%s is 502, and the log contains no key, token, address or id', async (_, status, body) => {
    answer = { status, body }
    expect(await reason(await url())).toEqual([502, 'onramp'])
    const logged = app.log()
    expect(logged).toContain('on-ramp failed')
    for (const secret of ['PRIVATE', 'Bearer', 'eyJ', 'organizations/1', buyer, partnerUserId, '2001:db8'])
      expect(logged).not.toContain(secret)
  })

  test('does not follow redirects with the token', async () => {
    answer = { status: 302, body: '', headers: { location: `http://${host}/elsewhere` } }
    expect(await reason(await url())).toEqual([502, 'onramp'])
    expect(seen).toHaveLength(1)
  })

  test('queries the status of a purchase under an id of this project only', async () => {
    const one = {
      transaction_id: 'x',
      purchase_currency: 'USDC',
      purchase_network: 'base',
      purchase_amount: { value: '9.5', currency: 'USDC' },
      wallet_address: buyer,
    }
    say({
      transactions: [
        { ...one, status: 'ONRAMP_TRANSACTION_STATUS_IN_PROGRESS', tx_hash: '' },
        { ...one, status: 'ONRAMP_TRANSACTION_STATUS_SUCCESS', tx_hash: '0xabc' },
        { ...one, status: 'ONRAMP_TRANSACTION_STATUS_FAILED' },
      ],
      next_page_key: '',
      total_count: '3',
    })
    const response = await app.get(`/v1/onramp/purchases/${partnerUserId}?projectId=demo`)
    const text = await response.text()
    expect(answers.onRampPurchases.parse(JSON.parse(text)).purchases).toEqual([
      { status: 'pending', hash: null, symbol: 'USDC', network: 'base', amount: '9.5' },
      { status: 'delivered', hash: '0xabc', symbol: 'USDC', network: 'base', amount: '9.5' },
      { status: 'failed', hash: null, symbol: 'USDC', network: 'base', amount: '9.5' },
    ])
    expect(text).not.toContain(buyer)
    const ref = partnerUserOf('demo', partnerUserId)
    expect(seen[0]?.url).toBe(`/onramp/v1/buy/user/${ref}/transactions?pageSize=20`)
    expect(partnerUserOf('strict', partnerUserId)).not.toBe(ref)
    for (const id of ['ada', '..%2f..%2fbuy%2foptions-----', 'a'.repeat(65)])
      expect((await app.get(`/v1/onramp/purchases/${id}?projectId=demo`)).status).toBe(400)
  })
})

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
  return address.port
}
