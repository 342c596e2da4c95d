import { blockchainAnswers as answers, ErrorBody } from '@postern/protocol'
import { encodeFunctionData, maxUint256, numberToHex, parseAbi } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../testing/app'
import { readBlockchain } from '../config'
import { readHosted } from './config'
import { withoutPictures } from './pictures'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const token = `eip155:1:${address}`
const listedToken = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const nowhere = 'https://pictures.example/track.png'

type UpstreamCall = {
  readonly url: URL
  readonly headers: Headers
  readonly body: string | null
  readonly redirect: unknown
}
let upstreamCalls: UpstreamCall[] = []
let reply: () => Response = () => Response.json({})

const tokenBalance = 123_456n

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    networks: [{ id: 'eip155:1', upstreams: ['https://node.example'] }],
    upstreams: { exchange: async (_, calls) => calls.map(() => ({ result: numberToHex(tokenBalance, { size: 32 }) })) },
    blockchain: readBlockchain(
      {
        POSTERN_HOSTED_API: 'https://api.example/base/',
        POSTERN_HOSTED_PROJECT: 'there',
        POSTERN_TOKENS: JSON.stringify([
          { chainId: 'eip155:1', address: listedToken, name: 'Rewards', symbol: 'RWD', decimals: 6 },
        ]),
      },
      [],
    ),
    async fetch(input, init) {
      const body = typeof init?.body === 'string' ? init.body : null
      upstreamCalls.push({
        url: new URL(String(input)),
        headers: new Headers(init?.headers),
        body,
        redirect: init?.redirect,
      })
      return reply()
    },
  })
})
afterAll(() => app.close())
beforeEach(() => {
  upstreamCalls = []
})

const get = (path: string, headers: Record<string, string> = {}) =>
  app.get(`${path}${path.includes('?') ? '&' : '?'}projectId=demo`, headers)
const post = (path: string, body: unknown) => app.post(`${path}?projectId=demo`, body)

describe('requests to the service', () => {
  test('2 carry the query with the service’s project id, and no headers of the caller', async () => {
    reply = () => Response.json({ balances: [] })
    const caller = {
      Origin: 'https://app.example.com',
      'Accept-Language': 'de',
      'X-Forwarded-For': '203.0.113.1',
      Cookie: 'a=b',
    }
    const response = await get(`/v1/account/${address}/balance?currency=usd&chainId=eip155:1&st=postern`, caller)
    expect(answers.balance.parse(await response.json())).toEqual({ balances: [] })
    const [{ url, headers, redirect } = { url: null, headers: new Headers(), redirect: null }] = upstreamCalls
    expect(`${url?.origin}${url?.pathname}`).toBe(`https://api.example/base/v1/account/${address}/balance`)
    expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({
      currency: 'usd',
      chainId: 'eip155:1',
      st: 'postern',
      projectId: 'there',
    })
    expect([...headers.keys()]).toEqual(['accept'])
    expect(redirect).toBe('error')
  })

  test('2 carry the parsed body with the service’s project id', async () => {
    reply = () => Response.json({ fungibles: [] })
    await post('/v1/fungible/price', { currency: 'usd', addresses: [token], projectId: 'demo', more: 1 })
    expect(JSON.parse(upstreamCalls[0]?.body ?? '')).toEqual({
      currency: 'usd',
      addresses: [token],
      projectId: 'there',
    })
    expect((await post('/v1/fungible/price', { currency: 'usd' })).status).toBe(400)
    expect(upstreamCalls).toHaveLength(1)
    const swap = { amount: '1', eip155: { slippage: 1 }, projectId: 'demo', from: token, to: token, userAddress: token }
    await post('/v1/convert/build-transaction', { ...swap, toAmount: '5' })
    expect(JSON.parse(upstreamCalls[1]?.body ?? '')).toEqual({ ...swap, projectId: 'there' })
  })

  test.each(['..', '%2e%2e', '.', '%2E'])('1 stay on their path: %s', async (name) => {
    await app.request(`https://modal.postern.example/v1/identity/${name}?projectId=demo`, { method: 'GET' })
    await app.request(`https://modal.postern.example/v1/profile/account/${name}?projectId=demo`, { method: 'GET' })
    expect(
      upstreamCalls.filter(({ url }) => !/^\/base\/v1\/(?:identity|profile\/account)\/[^/.]+$/.test(url.pathname)),
    ).toEqual([])
  })

  test('1 encode a caller’s text as one path segment', async () => {
    reply = () => Response.json({ name: null, avatar: null })
    await get(`/v1/identity/${encodeURIComponent('../../admin?x=1#y')}`)
    expect(upstreamCalls[0]?.url.pathname).toBe('/base/v1/identity/..%2F..%2Fadmin%3Fx%3D1%23y')
    expect(await (await get('/v1/admin')).status).toBe(404)
    expect(upstreamCalls).toHaveLength(1)
  })

  test('are sent only for allowed callers', async () => {
    expect((await get(`/v1/identity/${address}`, { Origin: 'https://evil.test' })).status).toBe(403)
    expect((await app.get(`/v1/identity/${address}`)).status).toBe(401)
    expect(upstreamCalls).toEqual([])
  })
})

describe('responses of the service', () => {
  test('3 mark a token that advertises a site, unless this gateway lists it', async () => {
    const balance = { symbol: 'GIFT', chainId: 'eip155:1', price: 0, quantity: { decimals: '6', numeric: '1' } }
    const [lure, listed] = [token, `eip155:1:${listedToken}`]
    const names = [
      { name: 'Visit claim-usdc.com', address: lure },
      { name: 'rewards.example.com', address: listed },
      { name: 'Gift', address: lure },
      { name: 'Ether at example.com' },
    ]
    const marks = ['phishing', undefined, undefined, undefined]
    reply = () => Response.json({ balances: names.map((one) => ({ ...balance, iconUrl: '', ...one })) })
    const held = answers.balance.parse(await (await get(`/v1/account/${address}/balance`)).json())
    expect(held.balances.map(({ listing }) => listing)).toEqual(marks)
    reply = () => Response.json({ tokens: names.slice(0, 3).map((one) => ({ symbol: 'GIFT', decimals: 6, ...one })) })
    const offered = answers.swapTokens.parse(await (await get('/v1/convert/tokens?chainId=eip155:1')).json())
    expect(offered.tokens.map(({ listing }) => listing)).toEqual(marks.slice(0, 3))
  })

  test('3 are reduced to our schema, without pictures on other servers', async () => {
    const balance = {
      name: 'USD Coin',
      symbol: 'USDC',
      chainId: 'eip155:1',
      price: 1,
      quantity: { decimals: '6', numeric: '1.5' },
    }
    reply = () => Response.json({ balances: [{ ...balance, iconUrl: nowhere, secret: 'x' }], more: true })
    expect(await (await get(`/v1/account/${address}/balance`)).json()).toEqual({
      balances: [{ ...balance, iconUrl: '' }],
    })
    reply = () => Response.json({ name: 'alice.example', avatar: nowhere })
    expect(await (await get(`/v1/identity/${address}`)).json()).toEqual({ name: 'alice.example', avatar: null })
    reply = () => Response.json({ url: 'https://sells.example/buy?session=1' })
    const query = {
      destinationWallets: [{ address, blockchains: ['ethereum'], assets: [] }],
      defaultNetwork: 'ethereum',
      partnerUserId: 'a-random-purchase',
      defaultExperience: 'buy',
    }
    expect(
      await (await post('/v1/generators/onrampurl', { ...query, redirectUrl: 'https://evil.test' })).json(),
    ).toEqual({
      url: 'https://sells.example/buy?session=1',
    })
    expect(JSON.parse(upstreamCalls.at(-1)?.body ?? '')).toEqual(query)
  })

  test('4 an approval is for exactly the requested amount and the named spender', async () => {
    const spender = '0x111111125421cA6dc452d289314280a0f8842A65'
    const abi = parseAbi(['function approve(address spender, uint256 amount)', 'function transfer(address, uint256)'])
    const approve = (amount: bigint) => encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] })
    const tx = { from: token, to: token, value: '0', eip155: { gas: '60000', gasPrice: '1' } }
    const ask = (more: string) =>
      get(`/v1/convert/build-approve?userAddress=${address}&from=${token}&to=${token}${more}`)
    reply = () => Response.json({ tx: { ...tx, data: approve(maxUint256) } })
    const answer = answers.buildApprove.parse(await (await ask('&amount=250000000')).json())
    expect(answer.tx).toEqual({ ...tx, data: approve(250_000_000n) })
    expect((await ask('&amount=x')).status).toBe(400)
    const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [spender, 1n] })
    for (const data of [transfer, '0x', `${approve(1n)}00`, approve(1n).replace('0x095ea7b3', '0x39509351')]) {
      reply = () => Response.json({ tx: { ...tx, data } })
      expect((await ask('&amount=1')).status).toBe(502)
    }
  })

  test('4 an approval without an amount covers the balance, and is refused if that is unreadable', async () => {
    const abi = parseAbi(['function approve(address spender, uint256 amount)'])
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [address, maxUint256] })
    reply = () =>
      Response.json({ tx: { from: token, to: token, value: '0', eip155: { gas: '1', gasPrice: '1' }, data } })
    const path = `/v1/convert/build-approve?userAddress=${address}&to=${token}&from=`
    const answer = answers.buildApprove.parse(await (await get(`${path}${token}`)).json())
    expect(answer.tx.data).toBe(encodeFunctionData({ abi, functionName: 'approve', args: [address, tokenBalance] }))
    const before = upstreamCalls.length
    expect((await get(`${path}eip155:10:${address}`)).status).toBe(400)
    expect(upstreamCalls).toHaveLength(before)
  })

  test('5 the status of a purchase is 404', async () => {
    const before = upstreamCalls.length
    const response = await get('/v1/onramp/purchases/a-random-purchase-id')
    expect(response.status).toBe(404)
    expect(ErrorBody.parse(await response.json()).reasons[0]?.name).toBe('onramp')
    expect(upstreamCalls).toHaveLength(before)
  })

  test.each<[string, () => Response]>([
    ['another shape', () => Response.json({ balances: [{ name: 1 }] })],
    ['no JSON', () => new Response('<html>')],
    ['its own failure', () => Response.json({ status: 'error', reasons: [] }, { status: 500 })],
    ['a refusal of the gateway itself', () => Response.json({ status: 'FAIL', reasons: [] }, { status: 401 })],
    ['a refusal of its origin', () => Response.json({ status: 'FAIL', reasons: [] }, { status: 403 })],
  ])('6 %s is 502, and says nothing of it', async (_, answer) => {
    reply = answer
    const response = await get(`/v1/account/${address}/balance`)
    expect(response.status).toBe(502)
    expect(ErrorBody.parse(await response.json()).reasons).toEqual([
      { name: 'service', description: 'The service gave no answer that makes sense' },
    ])
    expect(app.log()).not.toContain('there')
  })

  test('6 a refusal is passed on as plain text', async () => {
    const reasons = [{ name: 'name', description: 'Taken\u202e <b>already</b>\n' }]
    reply = () => Response.json({ status: 'FAIL', reasons }, { status: 409 })
    const register = { coin_type: 60, address, message: '{}', signature: '0x' }
    const response = await post('/v1/profile/account', register)
    expect(response.status).toBe(409)
    expect(ErrorBody.parse(await response.json()).reasons).toEqual([
      { name: 'name', description: 'Taken <b>already</b>' },
    ])
    reply = () => new Response('', { status: 429, headers: { 'Retry-After': '7' } })
    const later = await get(`/v1/identity/${address}`)
    expect([later.status, later.headers.get('Retry-After')]).toEqual([429, '7'])
  })
})

test('keeps embedded pictures', () => {
  const dataUrl = 'data:image/png;base64,AAAA'
  expect(withoutPictures({ avatar: dataUrl, icon: { url: dataUrl }, list: [{ iconUrl: nowhere }] })).toEqual({
    avatar: dataUrl,
    icon: { url: dataUrl },
    list: [{ iconUrl: '' }],
  })
  expect(withoutPictures({ preview: { url: nowhere }, logoUri: 'javascript:1', url: nowhere })).toEqual({
    preview: null,
    logoUri: null,
    url: nowhere,
  })
})

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ POSTERN_HOSTED_API: 'https://api.example' }, true],
  [{ POSTERN_HOSTED_API: 'http://127.0.0.1:1', NODE_ENV: 'production' }, false],
  [{ POSTERN_HOSTED_API: 'https://user:hush@api.example' }, false],
  [{ POSTERN_HOSTED_API: 'https://api.example?key=hush' }, false],
  [{ POSTERN_HOSTED_API: 'api.example' }, false],
  [{ POSTERN_HOSTED_PROJECT: 'there' }, false],
  [{ POSTERN_HOSTED_API: 'https://api.example', POSTERN_HOSTED_PROJECT: 'hush hush' }, false],
])('the configuration %j is right: %s', (env, isRight) => {
  const problems: string[] = []
  readHosted(env, problems)
  expect(problems).toHaveLength(isRight ? 0 : 1)
  expect(problems.join()).not.toContain('hush')
})
