import { type JWTPayload, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { devnetContracts } from '../networks'
import { onrampKey, onrampKeyId } from './access'
import type { Deliver } from './deliver'
import { type OnRamp, startOnRamp } from './start-onramp'

const delivered: { asset: string; network: string; to: string; amount: bigint }[] = []
const deliver: Deliver = async (offer, to, amount) => {
  delivered.push({ asset: offer.asset, network: offer.network, to, amount })
  return '0xabc'
}
const start = Date.parse('2026-01-01T00:00:00Z')
let now = start
let onramp: OnRamp
beforeAll(async () => {
  // The library that verifies tokens keeps the system's clock.
  vi.setSystemTime(start)
  onramp = await startOnRamp({ port: 0, ports: { evm: 1, evmTwo: 2, solana: 3 }, now: () => now, deliver })
})
afterAll(async () => {
  vi.useRealTimers()
  await onramp.stop()
})
afterEach(() => {
  delivered.length = 0
})

const base = () => `http://127.0.0.1:${onramp.port}`
const ada = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const home = 'http://demo.localhost:4500/back?ok=1'

async function bearer(method: string, path: string, changes: JWTPayload = {}): Promise<string> {
  const seconds = start / 1000
  const claims = {
    iss: 'cdp',
    sub: onrampKeyId,
    nbf: seconds,
    exp: seconds + 120,
    uri: `${method} 127.0.0.1:${onramp.port}${path}`,
  }
  const token = await new SignJWT({ ...claims, ...changes })
    .setProtectedHeader({ alg: 'EdDSA', kid: onrampKeyId, nonce: 'n1', typ: 'JWT' })
    .sign(onrampKey())
  return `Bearer ${token}`
}
async function call(method: 'GET' | 'POST', path: string, body?: unknown) {
  const [pathname = ''] = path.split('?')
  const authorization = await bearer(method, pathname)
  const response = await fetch(`${base()}${path}`, {
    method,
    headers: { authorization },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}
const addresses = [
  { address: ada, blockchains: ['postern-31337', 'postern-31338'] },
  { address: 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96', blockchains: ['postern-solana'] },
]
async function session(assets: string[] = []): Promise<string> {
  const { body } = await call('POST', '/onramp/v1/token', { addresses, assets, clientIp: '127.0.0.1' })
  expect(body).toEqual({ token: expect.any(String), channel_id: '' })
  return Object.values(body ?? {})[0]
}
const open = async (token: string, query: Record<string, string> = {}) => {
  const response = await fetch(`${base()}/buy?${new URLSearchParams({ sessionToken: token, ...query })}`)
  const text = await response.text()
  const [, order = ''] = /name="order" value="([^"]+)"/.exec(text) ?? []
  return { response, text, order }
}
const answer = (fields: Record<string, string>) =>
  fetch(`${base()}/buy`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const transactions = async (user: string) => (await call('GET', `/onramp/v1/buy/user/${user}/transactions`)).body
const fault = (kind: string, ms = 0) =>
  fetch(`${base()}/devnet/fault`, { method: 'POST', body: JSON.stringify({ kind, ms }) })

describe('1. the API', () => {
  test('lists what can be bought on the available networks', async () => {
    expect(await call('GET', '/onramp/v1/buy/options?country=US&networks=postern-31337,postern-solana')).toEqual({
      status: 200,
      body: {
        payment_currencies: expect.arrayContaining([
          { id: 'USD', limits: expect.arrayContaining([{ id: 'CARD', min: '5', max: '500' }]) },
        ]),
        purchase_currencies: [
          expect.objectContaining({
            symbol: 'ETH',
            networks: [expect.objectContaining({ name: 'postern-31337', chain_id: '31337', contract_address: '' })],
          }),
          expect.objectContaining({
            symbol: 'DUSD',
            networks: [expect.objectContaining({ contract_address: devnetContracts.dollar })],
          }),
          expect.objectContaining({ symbol: 'SOL' }),
        ],
      },
    })
  })

  test('quotes to the cent, and rejects amounts outside the limits', async () => {
    const request = {
      purchase_currency: 'ETH',
      purchase_network: 'postern-31337',
      payment_amount: '100',
      payment_currency: 'EUR',
      payment_method: 'CARD',
      country: 'DE',
    }
    expect((await call('POST', '/onramp/v1/buy/quote', request)).body).toEqual({
      payment_total: { value: '100.00', currency: 'EUR' },
      payment_subtotal: { value: '98.75', currency: 'EUR' },
      // 98.75 EUR at 2,250 EUR per ether, rounded down.
      purchase_amount: { value: '0.043888888888888888', currency: 'ETH' },
      coinbase_fee: { value: '1.00', currency: 'EUR' },
      network_fee: { value: '0.25', currency: 'EUR' },
      quote_id: expect.any(String),
    })
    for (const wrong of [
      { payment_amount: '4.99' },
      { payment_amount: '500.01' },
      { payment_amount: '1e2' },
      { payment_currency: 'toString' },
      { purchase_network: 'bitcoin-regtest' },
    ])
      expect(await call('POST', '/onramp/v1/buy/quote', { ...request, ...wrong })).toMatchObject({
        status: 400,
        body: { code: 3 },
      })
  })

  test('accepts only calls whose token was signed for them', async () => {
    const path = '/onramp/v1/buy/options'
    const status = async (authorization: string) =>
      (await fetch(`${base()}${path}`, { headers: { authorization } })).status
    const seconds = start / 1000
    expect(await status(await bearer('GET', path))).toBe(200)
    expect(await status('Bearer nonsense')).toBe(401)
    expect(await status(await bearer('POST', path))).toBe(401)
    expect(await status(await bearer('GET', '/onramp/v1/token'))).toBe(401)
    expect(await status(await bearer('GET', path, { exp: seconds + 3_600 }))).toBe(401)
    expect(await status(await bearer('GET', path, { sub: 'another key' }))).toBe(401)
  })
})

describe('2. a session token', () => {
  test('opens the page once', async () => {
    const token = await session()
    expect((await open(token)).response.status).toBe(200)
    expect((await open(token)).response.status).toBe(400)
  })

  test('expires after five minutes', async () => {
    const token = await session()
    now += 5 * 60_000
    expect((await open(token)).response.status).toBe(400)
  })

  test('preselects what the link says, among its assets only', async () => {
    const preset = { defaultAsset: 'DUSD', defaultNetwork: 'postern-31338', presetCryptoAmount: '98.75' }
    const { text } = await open(await session(['DUSD']), preset)
    expect(text).toContain('<option value="1" selected>DUSD on Postern Devnet Two</option>')
    expect(text).toContain('name="amount" value="100.00"')
    expect(text).not.toContain('ETH on')
  })
})

describe('3. a purchase', () => {
  test('is delivered, listed, and redirects back', async () => {
    const { order } = await open(await session(), { redirectUrl: home, partnerUserId: 'ada' })
    const fields = { order, choice: '1', amount: '100', currency: 'USD', answer: 'pay' }
    const response = await answer(fields)
    expect([response.status, response.headers.get('location')]).toEqual([303, home])
    expect(delivered).toEqual([{ asset: 'DUSD', network: 'postern-31337', to: ada, amount: 98_750_000n }])
    expect(await transactions('ada')).toMatchObject({
      transactions: [
        {
          status: 'ONRAMP_TRANSACTION_STATUS_SUCCESS',
          tx_hash: '0xabc',
          wallet_address: ada,
          purchase_amount: { value: '98.75', currency: 'DUSD' },
        },
      ],
      total_count: '1',
    })
    expect((await answer(fields)).status).toBe(400)
    expect(delivered).toHaveLength(1)
    expect(await transactions('another-user')).toMatchObject({ transactions: [] })
  })

  test('delivers nothing if declined', async () => {
    const { order } = await open(await session(), { redirectUrl: home, partnerUserId: 'bob' })
    const response = await answer({ order, choice: '0', amount: '20', currency: 'USD', answer: 'decline' })
    expect(response.headers.get('location')).toBe(home)
    expect(delivered).toEqual([])
    expect(await transactions('bob')).toMatchObject({ transactions: [{ status: 'ONRAMP_TRANSACTION_STATUS_FAILED' }] })
  })

  test('with an invalid amount shows the form again', async () => {
    const { order } = await open(await session())
    const response = await answer({ order, choice: '0', amount: '-1', currency: 'USD', answer: 'pay' })
    expect(await response.text()).toContain('role="alert"')
    expect((await answer({ order, choice: '0', amount: '5', currency: 'USD', answer: 'pay' })).status).toBe(200)
  })
})

test.each(['https://example.com/', 'javascript:alert(1)', '//example.com', 'http://127.0.0.1.example.com/'])(
  '4. does not redirect to %s',
  async (redirectUrl) => {
    const { response, order } = await open(await session(), { redirectUrl })
    expect([response.status, order]).toEqual([400, ''])
  },
)

test('5. can be down, take a payment without delivering, or deliver late', async () => {
  await fault('down')
  expect((await call('GET', '/onramp/v1/buy/options')).status).toBe(503)
  await fault('failing')
  const failing = await open(await session(), { partnerUserId: 'carol' })
  await answer({ order: failing.order, choice: '0', amount: '20', currency: 'USD', answer: 'pay' })
  expect(await transactions('carol')).toMatchObject({ transactions: [{ status: 'ONRAMP_TRANSACTION_STATUS_FAILED' }] })
  await fault('slow-delivery', 60_000)
  const slow = await open(await session(), { partnerUserId: 'dave' })
  await answer({ order: slow.order, choice: '0', amount: '20', currency: 'USD', answer: 'pay' })
  expect(await transactions('dave')).toMatchObject({
    transactions: [{ status: 'ONRAMP_TRANSACTION_STATUS_IN_PROGRESS' }],
  })
  expect(delivered).toEqual([])
  await fault('none')
  await expect.poll(() => delivered).toHaveLength(1)
  expect(await transactions('dave')).toMatchObject({ transactions: [{ status: 'ONRAMP_TRANSACTION_STATUS_SUCCESS' }] })
})
