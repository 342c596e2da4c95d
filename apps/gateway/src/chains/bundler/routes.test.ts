import { createServer, type Server } from 'node:http'
import { safeAddress } from '@postern/chains/eip155/safe-account'
import type { Address } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { modalOrigin, startTestApp, type TestApp, walletOrigin } from '../../testing/app'
import { newToken, sessionHeaders, signInByEmail, succeed } from '../../testing/sign-in'
import { newWallet } from '../../testing/wallet'
import { type AccountAbstraction, readAccountAbstraction } from './config'

const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
const stranger = '0x00000000219ab540356cBB839Cbe05303d7705Fa'

let answer: (call: { id: unknown; method: string; params?: unknown }) => unknown
let calls: { path: string | undefined; method: string; params?: unknown }[] = []
let server: Server
let app: TestApp
let user: User
let accountAbstraction: AccountAbstraction
let operation: { readonly sender: Address }
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => {
      const { id, method, params } = JSON.parse(text)
      calls.push({ path: request.url, method, params })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...Object(answer({ id, method, params })) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  const at = (path: string) => JSON.stringify({ 'eip155:31337': `http://127.0.0.1:${address.port}/${path}` })
  accountAbstraction = readAccountAbstraction(
    { POSTERN_BUNDLERS: at('bundler?key=hush'), POSTERN_PAYMASTERS: at('paymaster?key=hush') },
    [],
  )
  app = await startTestApp({
    accountAbstraction,
    operationBudgets: { bundler: { perUser: 20, perProject: 1_000 }, paymaster: { perUser: 4, perProject: 9 } },
  })
  user = await newUser('ada@example.com')
  operation = { sender: user.safe }
})
afterAll(async () => {
  await app.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
beforeEach(() => {
  calls = []
  answer = ({ method }) => ({ result: method })
})

async function ask(
  endpoint: 'bundler' | 'paymaster',
  body: unknown,
  {
    headers = {},
    chainId = 'eip155:31337',
    site = walletOrigin,
    projectId = 'demo',
    token = user.token,
    to = app,
  }: {
    headers?: Record<string, string>
    chainId?: string
    site?: string
    projectId?: string
    token?: string | null
    to?: TestApp
  } = {},
) {
  const response = await to.request(`${site}/v1/${endpoint}?projectId=${projectId}&chainId=${chainId}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token === null ? {} : await sessionHeaders(to, `${site}/v1/${endpoint}`, token)),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return {
    status: response.status,
    json: await response.json(),
    retryAfter: Number(response.headers.get('Retry-After')),
  }
}

type User = { readonly token: string; readonly safe: Address }

async function newUser(email: string, to = app): Promise<User> {
  const { sessionToken, user } = await signInByEmail(to, email)
  const wallet = newWallet()
  const shares = await wallet.split('create', user.id)
  await succeed(to, 'createWallet', { addresses: wallet.addresses, shares }, { token: sessionToken })
  return { token: sessionToken, safe: safeAddress(wallet.owner) }
}

const rpc = (method: string, params?: unknown) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  ...(params === undefined ? {} : { params }),
})

describe('1. forwards only listed methods', () => {
  test.each([
    ['bundler', 'eth_sendUserOperation', [entryPoint]],
    ['bundler', 'eth_estimateUserOperationGas', [entryPoint.toLowerCase()]],
    ['bundler', 'eth_getUserOperationByHash', ['0x00']],
    ['bundler', 'eth_getUserOperationReceipt', ['0x00']],
    ['bundler', 'eth_supportedEntryPoints', undefined],
    ['paymaster', 'pm_getPaymasterStubData', [entryPoint, '0x7a69', {}]],
    ['paymaster', 'pm_getPaymasterData', [entryPoint, '0x7a69', {}]],
  ] as const)('%s: %s', async (endpoint, method, rest) => {
    const isOperation = rest !== undefined && rest[0] !== '0x00'
    const params = isOperation ? [operation, ...rest] : rest
    const { json } = await ask(endpoint, rpc(method, params))
    expect(json).toEqual({ jsonrpc: '2.0', id: 7, result: method })
    expect(calls).toEqual([{ path: `/${endpoint}?key=hush`, method, params }])
  })

  test.each([
    ['bundler', 'pm_getPaymasterData'],
    ['bundler', 'eth_sendRawTransaction'],
    ['bundler', 'debug_bundler_clearState'],
    ['bundler', '__proto__'],
    ['paymaster', 'eth_sendUserOperation'],
    ['paymaster', 'pm_accounts'],
  ] as const)('%s: refuses %s', async (endpoint, method) => {
    const { json } = await ask(endpoint, rpc(method, [operation, entryPoint]))
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32_601, message: 'Requested RPC call is not allowed' },
    })
    expect(calls).toEqual([])
  })
})

test.each([
  ['a batch', [rpc('eth_supportedEntryPoints')]],
  ['no id', { jsonrpc: '2.0', method: 'eth_supportedEntryPoints' }],
  ['null for an id', { jsonrpc: '2.0', id: null, method: 'eth_supportedEntryPoints' }],
  ['no JSON', '{'],
  ['nothing', ''],
])('2. rejects %s', async (_, body) => {
  expect((await ask('bundler', body)).json).toMatchObject({ id: null, error: { code: -32_600 } })
  expect(calls).toEqual([])
})

test('3. passes on a bundler’s error, and reveals nothing of one that fails', async () => {
  const error = { code: -32_500, message: 'AA21 didn’t pay prefund', data: { reason: 'x' } }
  answer = () => ({ error })
  expect((await ask('bundler', rpc('eth_sendUserOperation', [operation, entryPoint]))).json).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error,
  })
  answer = () => ({ nonsense: true })
  const { json } = await ask('bundler', rpc('eth_supportedEntryPoints'))
  expect(json).toMatchObject({ id: 7, error: { code: -32_603 } })
  expect(JSON.stringify(json)).not.toContain('127.0.0.1')
  expect(app.log()).not.toContain('hush')
})

test.each([
  ['another one', () => [operation, '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789']],
  ['missing', () => [operation]],
  ['no list', () => ({ 0: operation, 1: entryPoint })],
  ['no operation', () => [null, entryPoint]],
])('4. rejects an operation for another entry point: %s', async (_, paramsOf) => {
  const params = paramsOf()
  const { json } = await ask('bundler', rpc('eth_sendUserOperation', params))
  expect(json).toMatchObject({ error: { code: -32_602 } })
  expect(calls).toEqual([])
})

describe('6. needs a session', () => {
  test.each(['bundler', 'paymaster'] as const)('%s: a stranger without one reaches no upstream', async (endpoint) => {
    const method = endpoint === 'bundler' ? 'eth_sendUserOperation' : 'pm_getPaymasterData'
    const body = rpc(method, [operation, entryPoint, '0x7a69', {}])
    for (const token of [null, newToken()]) {
      const { status, json } = await ask(endpoint, body, { token })
      expect(status).toBe(401)
      expect(json).toMatchObject({ reasons: [{ name: 'SESSION_EXPIRED' }] })
    }
    expect((await ask(endpoint, body, { projectId: 'strict' })).status).toBe(401)
    expect(calls).toEqual([])
  })

  test('a lookup needs one too', async () => {
    expect((await ask('bundler', rpc('eth_getUserOperationReceipt', ['0x00']), { token: null })).status).toBe(401)
    expect(calls).toEqual([])
  })
})

describe('7. forwards only the user’s own operations', () => {
  test.each([
    ['bundler', 'eth_sendUserOperation'],
    ['bundler', 'eth_estimateUserOperationGas'],
    ['paymaster', 'pm_getPaymasterStubData'],
    ['paymaster', 'pm_getPaymasterData'],
  ] as const)('%s: %s', async (endpoint, method) => {
    const other = await newUser(`${method}@example.com`)
    for (const sender of [stranger, other.safe, '', `${operation.sender}00`]) {
      const { status, json } = await ask(endpoint, rpc(method, [{ sender }, entryPoint, '0x7a69', {}]))
      expect(status).toBe(403)
      expect(json).toMatchObject({
        id: 7,
        error: { code: -32_602, message: 'The sender is not the smart account of the signed-in user' },
      })
    }
    expect(calls).toEqual([])
  })

  test('in any case of letters', async () => {
    const sender = operation.sender.toLowerCase()
    expect((await ask('bundler', rpc('eth_sendUserOperation', [{ sender }, entryPoint]))).status).toBe(200)
  })

  test('a user without a wallet has none', async () => {
    const { sessionToken } = await signInByEmail(app, 'empty@example.com')
    const body = rpc('eth_sendUserOperation', [operation, entryPoint])
    expect((await ask('bundler', body, { token: sessionToken })).status).toBe(403)
  })
})

test('8. limits sponsored operations per user and project in a day', async () => {
  const sponsor = ({ token, safe }: User) =>
    ask('paymaster', rpc('pm_getPaymasterData', [{ sender: safe }, entryPoint, '0x7a69', {}]), { token })
  // Two calls of the project's nine were made above.
  const users = [await newUser('one@example.com'), await newUser('two@example.com')]
  const answers: Awaited<ReturnType<typeof sponsor>>[] = []
  for (const one of users) for (let count = 0; count < 5; count += 1) answers.push(await sponsor(one))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 200, 200, 200, 429, 429])
  expect(answers[4]).toMatchObject({
    json: {
      id: 7,
      error: { code: -32_005, message: 'The daily limit of sponsored operations of this user is reached' },
    },
  })
  expect(answers[8]).toMatchObject({
    json: { error: { message: 'The daily limit of sponsored operations of this project is reached' } },
  })
  expect(answers[4]?.retryAfter).toBeGreaterThan(20_000)
  expect(calls).toHaveLength(7)
  // The bundler has a budget of its own, and lookups use up nothing.
  const one = users[0]
  if (one === undefined) throw new Error('No user')
  const send = rpc('eth_sendUserOperation', [{ sender: one.safe }, entryPoint])
  for (let count = 0; count < 20; count += 1) {
    expect((await ask('bundler', send, { token: one.token })).status).toBe(200)
  }
  expect((await ask('bundler', send, { token: one.token })).json).toMatchObject({
    error: { message: 'The daily limit of smart account operations of this user is reached' },
  })
  expect((await ask('bundler', rpc('eth_getUserOperationReceipt', ['0x00']), { token: one.token })).status).toBe(200)
})

describe('9. forwards only what it knows, within the chain and the cost', () => {
  let own: TestApp
  let nine: User
  const operationWith = (members: Readonly<Record<string, string>>) => ({
    sender: nine.safe,
    callGasLimit: '0x186a0',
    verificationGasLimit: '0x186a0',
    preVerificationGas: '0x0',
    maxFeePerGas: '0x3b9aca00',
    ...members,
  })
  beforeAll(async () => {
    own = await startTestApp({ accountAbstraction })
    nine = await newUser('nine@example.com', own)
  })
  afterAll(() => own.close())
  const sponsor = (members: Readonly<Record<string, string>>, chain: unknown = '0x7a69') =>
    ask(
      'paymaster',
      rpc('pm_getPaymasterStubData', [operationWith(members), entryPoint, chain, { policy: 'p' }, 'more']),
      {
        token: nine.token,
        to: own,
      },
    )

  test('drops other members and parameters, and keeps the context', async () => {
    await sponsor({ validUntil: '0x1', eip7702Auth: '0x' })
    const send = rpc('eth_estimateUserOperationGas', [operationWith({ extra: '0x' }), entryPoint, { [stranger]: {} }])
    await ask('bundler', send, { token: nine.token, to: own })
    expect(calls.map(({ params }) => params)).toEqual([
      [operationWith({}), entryPoint, '0x7a69', { policy: 'p' }],
      [operationWith({}), entryPoint],
    ])
  })

  test.each(['0x1', '31337', 31_337, '0x', null])('refuses the chain id %s', async (chain) => {
    expect((await sponsor({}, chain)).json).toMatchObject({ error: { code: -32_602 } })
    expect(calls).toEqual([])
  })

  test.each([
    ['a fee', { maxFeePerGas: '0x3b9aca000000' }],
    ['a gas limit', { callGasLimit: '0xffffffffffff' }],
    ['the paymaster’s own gas', { paymasterPostOpGasLimit: `0x${'f'.repeat(64)}` }],
  ])('refuses to sponsor above the maximum: %s', async (_, members) => {
    expect((await sponsor(members)).json).toMatchObject({
      error: {
        code: -32_602,
        message: 'A sponsored operation may cost at most 0.05: lower its fee per gas or its gas limits',
      },
    })
    expect(calls).toEqual([])
  })

  test.each([
    ['a fee', { maxFeePerGas: '0x3b9aca000000' }],
    ['gas before the verification', { preVerificationGas: '0xffffffffffff' }],
  ])('refuses to send a sponsored operation above the maximum: %s', async (_, members) => {
    const send = (more: Readonly<Record<string, string>>) =>
      ask('bundler', rpc('eth_sendUserOperation', [operationWith({ ...members, ...more }), entryPoint]), {
        token: nine.token,
        to: own,
      })
    expect((await send({ paymaster: stranger })).json).toMatchObject({
      error: {
        code: -32_602,
        message: 'A sponsored operation may cost at most 0.05: lower its fee per gas or its gas limits',
      },
    })
    expect(calls).toEqual([])
    // The user pays for it, and saw the fee in the approval.
    expect((await send({})).json).toHaveProperty('result')
  })

  test('sends an operation above the maximum where the operator sponsors none', async () => {
    const unsponsored = await startTestApp({
      accountAbstraction: { bundlers: accountAbstraction.bundlers, paymasters: new Map() },
    })
    onTestFinished(() => unsponsored.close())
    const eve = await newUser('eve@example.com', unsponsored)
    const sent = { ...operationWith({ maxFeePerGas: '0x3b9aca000000', paymaster: stranger }), sender: eve.safe }
    const { json } = await ask('bundler', rpc('eth_sendUserOperation', [sent, entryPoint]), {
      token: eve.token,
      to: unsponsored,
    })
    expect(json).toHaveProperty('result')
  })

  test.each([
    ['eip155:31337', 'error'],
    ['eip155:137', 'result'],
  ] as const)('the maximum of %s is for that network alone', async (network, outcome) => {
    const own = await startTestApp({
      accountAbstraction,
      operationBudgets: {
        bundler: { perUser: 20, perProject: 20 },
        paymaster: { perUser: 20, perProject: 20, maxWeiByNetwork: new Map([[network, 10n ** 15n]]) },
      },
    })
    onTestFinished(() => own.close())
    const eve = await newUser('eve@example.com', own)
    // 200,000 gas at 25 gwei: 0.005.
    const asked = { ...operationWith({ maxFeePerGas: '0x5d21dba00' }), sender: eve.safe }
    const { json } = await ask('paymaster', rpc('pm_getPaymasterStubData', [asked, entryPoint, '0x7a69']), {
      token: eve.token,
      to: own,
    })
    expect(json).toHaveProperty(outcome)
  })

  test('sponsors exactly the maximum', async () => {
    // 200,000 gas at 250 gwei.
    expect((await sponsor({ maxFeePerGas: '0x3a35294400' })).json).toHaveProperty('result')
    expect((await sponsor({ maxFeePerGas: '0x3a35294401' })).json).toHaveProperty('error')
  })
})

describe('callers', () => {
  const call = rpc('eth_supportedEntryPoints')
  test.each([
    ['the wallet’s own page', { Origin: walletOrigin, 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['an allowed dapp', { Origin: 'https://app.example.com' }, 403],
    ['the modal', { Origin: modalOrigin, 'Sec-Fetch-Site': 'same-site' }, 403],
    ['no browser', {}, 200],
  ])('%s: %s', async (_, headers, status) => {
    expect((await ask('bundler', call, { headers: Object.fromEntries(Object.entries(headers)) })).status).toBe(status)
  })

  test('are rejected without a project, on another site, or for a network without a bundler', async () => {
    expect((await ask('bundler', call, { projectId: 'unknown' })).status).toBe(401)
    expect((await ask('bundler', call, { site: modalOrigin })).status).toBe(404)
    for (const chainId of ['eip155:1', '31337', '', 'eip155:31337%00', '__proto__']) {
      expect((await ask('bundler', call, { chainId })).status).toBe(400)
    }
    expect(calls).toEqual([])
  })

  test('are rejected with an oversized body', async () => {
    expect((await ask('bundler', rpc('eth_sendUserOperation', ['x'.repeat(140_000)]))).status).toBe(413)
  })
})

describe('the configuration', () => {
  test('maps networks to URLs', () => {
    const read = readAccountAbstraction({ POSTERN_BUNDLERS: '{"eip155:1":"https://bundler.example.com/key"}' }, [])
    expect([...read.bundlers]).toEqual([['eip155:1', 'https://bundler.example.com/key']])
    expect(read.paymasters.size).toBe(0)
  })

  test.each([
    ['[]', undefined, 'POSTERN_BUNDLERS: Expected object, received array'],
    ['{"solana:x":"https://hush.example"}', undefined, 'POSTERN_BUNDLERS.solana:x: must be an EVM network'],
    [
      '{"ethereum":"https://hush.example"}',
      undefined,
      'POSTERN_BUNDLERS.ethereum: must be the id of a network, such as eip155:1',
    ],
    ['{"eip155:1":"wss://hush.example"}', undefined, 'POSTERN_BUNDLERS.eip155:1: must be an http or https URL'],
    [
      '{"eip155:1":"https://me:hush@a.example"}',
      undefined,
      'POSTERN_BUNDLERS.eip155:1: has user:password@: put the key into its path or query',
    ],
    ['{', undefined, 'POSTERN_BUNDLERS is not valid JSON'],
    [
      '{}',
      '{"eip155:1":"https://hush.example"}',
      'POSTERN_PAYMASTERS: eip155:1 has no bundler: its paymaster would pay for nothing',
    ],
  ])('rejects %s %s', (bundlers, paymasters, expected) => {
    const problems: string[] = []
    readAccountAbstraction({ POSTERN_BUNDLERS: bundlers, POSTERN_PAYMASTERS: paymasters }, problems)
    expect(problems).toEqual([expected])
  })
})
