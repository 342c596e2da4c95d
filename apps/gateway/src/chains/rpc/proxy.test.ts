import { once } from 'node:events'
import { createServer, IncomingMessage, request } from 'node:http'
import { limits, methodsThat, SupportedChains } from '@postern/protocol'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type GatewayServer, startServer } from '../../platform/http/server'
import { ProjectInput } from '../../projects/project'
import { modalOrigin, startTestApp, type TestApp, walletOrigin } from '../../testing/app'
import { callLimit } from '../../testing/call-limit'

type Call = { id: number; method: string; params?: unknown }
const safeMethods = methodsThat(({ risk }) => risk === 'safe')
const url = '/v1/?projectId=demo&chainId=eip155:31337'
const devnet = {
  id: 'eip155:31337',
  name: 'Devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
} as const

const solanaId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const bitcoinId = 'bip122:000000000019d6689c085ae165831e93'
const at = (chainId: string) => `/v1/?projectId=demo&chainId=${chainId}`

let app: TestApp
let seen: Call[] = []
let now = 0
const clock = () => now
const node = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  const body: Call | Call[] = JSON.parse(text)
  const calls = Array.isArray(body) ? body : [body]
  seen.push(...calls)
  const answers = calls.map(({ id, method }) =>
    method === 'eth_call'
      ? { jsonrpc: '2.0', id, error: { code: 3, message: 'execution reverted', data: '0x01' } }
      : { jsonrpc: '2.0', id, result: `0x${method}` },
  )
  response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const address = node.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  app = await startTestApp({
    networks: [
      { id: 'eip155:31337', upstreams: [`http://127.0.0.1:${address.port}/operators-key`], definition: devnet },
      { id: solanaId, upstreams: [`http://127.0.0.1:${address.port}/operators-key`] },
      { id: bitcoinId, upstreams: [`http://127.0.0.1:${address.port}/operators-key`] },
      { id: 'eip155:31338', upstreams: ['http://127.0.0.1:1/operators-key'] },
    ],
    ...callLimit({ perSecond: 1, burst: 5_000 }, clock),
  })
})
afterAll(async () => {
  await app.close()
  await new Promise((resolve) => node.close(resolve))
})
beforeEach(() => {
  seen = []
  now += 1e9
})

const post = (body: unknown, to = url) =>
  app.request(to, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
const call = (method: string, id: string | number = 1, params: unknown = []) => ({ jsonrpc: '2.0', id, method, params })

describe('the JSON-RPC proxy', () => {
  test('forwards a call and returns its result', async () => {
    const response = await post(call('eth_blockNumber', 'mine'))
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 'mine', result: '0xeth_blockNumber' })
    expect(seen).toEqual([{ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }])
  })

  test('also works without the trailing slash', async () => {
    expect((await post(call('eth_blockNumber'), url.replace('/v1/', '/v1'))).status).toBe(200)
  })

  test("passes on the chain's own error", async () => {
    expect(await (await post(call('eth_call', 7))).json()).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: 3, message: 'execution reverted', data: '0x01' },
    })
  })

  test.each([
    'eth_sendTransaction',
    'personal_sign',
    'eth_sign',
    'eth_accounts',
    'wallet_getCapabilities',
    'wallet_getAssets',
    'anvil_setBalance',
    'hardhat_setCode',
    'evm_mine',
    'debug_traceTransaction',
    'admin_peers',
    'miner_start',
    'txpool_content',
    'personal_unlockAccount',
    'ETH_CALL',
    ' eth_call',
    'constructor',
    '__proto__',
    'getBalance',
    'sendTransaction',
    'solana_getAccounts',
    'bip122_getBalance',
  ])('1. never forwards %s', async (method) => {
    expect(await (await post(call(method, 3))).json()).toEqual({
      jsonrpc: '2.0',
      id: 3,
      error: { code: -32_601, message: 'Requested RPC call is not allowed' },
    })
    expect(seen).toEqual([])
  })

  test('1. forwards reads, gas estimates and raw transactions', async () => {
    const methods = ['eth_getBalance', 'eth_estimateGas', 'eth_feeHistory', 'eth_sendRawTransaction', 'eth_getLogs']
    await post(methods.map((method, id) => call(method, id)))
    expect(seen.map(({ method }) => method)).toEqual(methods)
  })

  test.each([
    'solana_signMessage',
    'solana_getAccounts',
    'signTransaction',
    'requestAirdrop',
    'getProgramAccounts',
    'getClusterNodes',
    'eth_chainId',
    'eth_sendRawTransaction',
    'wallet_getCapabilities',
    'bip122_getUtxos',
    'GETBALANCE',
    'constructor',
  ])('1. never forwards %s to Solana', async (method) => {
    expect(await (await post(call(method, 3), at(solanaId))).json()).toEqual({
      jsonrpc: '2.0',
      id: 3,
      error: { code: -32_601, message: 'Requested RPC call is not allowed' },
    })
    expect(seen).toEqual([])
  })

  test("1. forwards Solana's reads, simulations and signed transactions", async () => {
    const methods = ['getBalance', 'getLatestBlockhash', 'simulateTransaction', 'sendTransaction', 'getGenesisHash']
    const answers = await post(
      [...methods, 'eth_call'].map((method, id) => call(method, id)),
      at(solanaId),
    )
    expect(seen.map(({ method }) => method)).toEqual(methods)
    expect(await answers.json()).toMatchObject([
      ...methods.map((method, id) => ({ id, result: `0x${method}` })),
      { id: 5, error: { code: -32_601 } },
    ])
  })

  test('a Bitcoin network refers to its Esplora route', async () => {
    const response = await post(call('eth_chainId'), at(bitcoinId))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      reasons: [{ name: 'chainId', description: expect.stringContaining(`/v1/esplora/${bitcoinId}`) }],
    })
    expect(seen).toEqual([])
  })

  test('2. every call of a batch gets its own response, in order', async () => {
    const body = [call('eth_chainId', 5), call('evm_mine', 'x'), { id: 1 }, 7, call('eth_call', 5), null]
    const answers = z.array(z.looseObject({ id: z.unknown() })).parse(await (await post(body)).json())
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 5, result: '0xeth_chainId' },
      { jsonrpc: '2.0', id: 'x', error: expect.objectContaining({ code: -32_601 }) },
      { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32_600 }) },
      { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32_600 }) },
      { jsonrpc: '2.0', id: 5, error: expect.objectContaining({ code: 3 }) },
      { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32_600 }) },
    ])
    expect(seen.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_call'])
  })

  test('2. any JSON batch gets as many responses, and only safe methods are forwarded', async () => {
    const item = fc.oneof(
      fc.jsonValue(),
      fc.record({
        jsonrpc: fc.constant('2.0'),
        id: fc.oneof(fc.integer(), fc.string({ maxLength: 5 })),
        method: fc.oneof(fc.constantFrom(...safeMethods), fc.string({ maxLength: 12 })),
        params: fc.jsonValue(),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 8 }), async (batch) => {
        seen = []
        now += 1e9
        const response = await post(batch)
        expect(response.status).toBe(200)
        expect(await response.json()).toHaveLength(batch.length)
        for (const { method } of seen) {
          expect(safeMethods).toContain(method)
          expect(method).toMatch(/^eth_/)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('3. a batch has 1 to 1000 calls', async () => {
    expect(await (await post([])).json()).toMatchObject({ id: null, error: { code: -32_600 } })
    const id = { length: { valueOf: 1, toString: 1 } }
    const hostile = await post({ jsonrpc: '2.0', id, method: 'eth_chainId' })
    expect(await hostile.json()).toMatchObject({ id: null, error: { code: -32_600 } })
    const full = Array.from({ length: limits.rpcBatchSize }, (_, id) => call('eth_chainId', id))
    expect(await (await post(full)).json()).toHaveLength(limits.rpcBatchSize)
    seen = []
    expect(await (await post([...full, call('eth_chainId')])).json()).toMatchObject({
      id: null,
      error: { code: -32_005 },
    })
    expect(seen).toEqual([])
  })

  test('4. an unreachable network is a JSON-RPC error under each id', async () => {
    const body = [call('eth_chainId', 'a'), call('eth_call', 'b')]
    const text = await (await post(body, url.replace('31337', '31338'))).text()
    const error = { code: -32_603, message: 'The network could not be reached' }
    expect(JSON.parse(text)).toEqual([
      { jsonrpc: '2.0', id: 'a', error },
      { jsonrpc: '2.0', id: 'b', error },
    ])
    expect(text).not.toContain('operators-key')
  })

  test('rejects deeply nested params under their id', async () => {
    const depth = 200_000
    const params = '['.repeat(depth) + ']'.repeat(depth)
    const response = await post(`{"jsonrpc":"2.0","id":9,"method":"eth_call","params":${params}}`)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 9, error: { code: -32_602 } })
    expect(seen).toEqual([])
  })

  test('invalid JSON is a parse error', async () => {
    const response = await post('{')
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_700 } })
  })

  test.each(['eip155:5', 'eip155:031337', '31337', 'constructor', ''])('rejects the network %j', async (chainId) => {
    const response = await post(call('eth_chainId'), `/v1/?projectId=demo&chainId=${chainId}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ reasons: [{ name: 'chainId' }] })
    expect(seen).toEqual([])
  })

  test('rejects a body over 1 MiB unread', async () => {
    const response = await post(call('eth_call', 1, ['0'.repeat(1_100_000)]))
    expect(response.status).toBe(413)
    expect(seen).toEqual([])
  })

  test('refuses a caller over its limit with a retry time, per project', async () => {
    const batch = Array.from({ length: 1_000 }, (_, id) => call('eth_chainId', id))
    for (let times = 0; times < 5; times++) expect((await post(batch)).status).toBe(200)
    seen = []
    const refused = await post(batch)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toBe('1000')
    expect(await refused.json()).toMatchObject({ status: 'error', reasons: [{ name: 'rate' }] })
    expect(seen).toEqual([])
    expect((await post(batch, url.replace('demo', 'strict'))).status).toBe(200)
  })

  test('a page at its limit does not silence the wallet of the same user', async () => {
    const limited = await startTestApp({
      networks: [{ id: solanaId, upstreams: ['http://127.0.0.1:1'] }],
      ...callLimit({ perSecond: 1, burst: 1_000 }, clock),
    })
    await limited.projects.add(
      ProjectInput.parse({ id: 'page', name: 'Page', allowedOrigins: ['https://app.example'] }),
    )
    const ask = async (site: string, origin: string, calls: number) => {
      const body = JSON.stringify(Array.from({ length: calls }, (_, id) => call('eth_chainId', id)))
      const path = `${site}/v1/?chainId=${encodeURIComponent(solanaId)}&projectId=page`
      return (await limited.request(path, { method: 'POST', body, headers: { Origin: origin } })).status
    }
    expect(await ask(modalOrigin, 'https://app.example', 600)).toBe(200)
    expect(await ask(modalOrigin, 'https://app.example', 600)).toBe(429)
    expect(await ask(walletOrigin, walletOrigin, 1)).toBe(200)
    expect(await ask(modalOrigin, modalOrigin, 1)).toBe(200)
    await limited.close()
  })

  test('a caller does not get a new limit by another host in the request target', async () => {
    const burst = 3
    const limited = await startTestApp({
      networks: [{ id: solanaId, upstreams: ['http://127.0.0.1:1'] }],
      ...callLimit({ perSecond: 1, burst }, clock),
    })
    let server: GatewayServer | undefined
    const port = await new Promise<number>((resolve, reject) => {
      server = startServer(limited.fetch, { host: '127.0.0.1', port: 0, onListening: resolve, onError: reject })
    })
    const ask = async (host: string) => {
      const outgoing = request({
        port,
        agent: false,
        method: 'POST',
        // Absolute form (RFC 9112 §3.2.2).
        path: `http://${host}/v1/?chainId=${encodeURIComponent(solanaId)}&projectId=demo`,
        headers: { Host: new URL(modalOrigin).host },
      })
      outgoing.end(JSON.stringify(call('eth_chainId', 1)))
      const [incoming] = z.tuple([z.instanceof(IncomingMessage)]).parse(await once(outgoing, 'response'))
      incoming.resume()
      return incoming.statusCode
    }
    const statuses = []
    for (let count = 0; count <= burst; count += 1) statuses.push(await ask(`x${count}.example`))
    expect(statuses).toEqual([200, 200, 200, 429])
    await server?.close()
    await limited.close()
  })

  test('many callers of one project do not affect another project', async () => {
    let address = 'a'
    const busy = await startTestApp({
      networks: [{ id: solanaId, upstreams: ['http://127.0.0.1:1'] }],
      ...callLimit({ perSecond: 100, burst: 2_000 }, clock, { perSecond: 1, burst: 2_000 }),
      clientAddress: () => address,
    })
    const ask = async (project: string, from: string, calls: number) => {
      address = from
      const body = JSON.stringify(Array.from({ length: calls }, (_, id) => call('eth_chainId', id)))
      const path = `/v1/?chainId=${encodeURIComponent(solanaId)}&projectId=${project}`
      return (await busy.request(path, { method: 'POST', body })).status
    }
    expect([await ask('demo', 'a', 1_000), await ask('demo', 'b', 1_000), await ask('demo', 'c', 1)]).toEqual([
      200, 200, 429,
    ])
    expect((await busy.get(`/v1/account/${'1'.repeat(32)}/balance?projectId=demo`)).status).toBe(429)
    expect(await ask('strict', 'c', 1)).toBe(200)
    await busy.close()
  })

  test('lists its networks', async () => {
    const response = await app.get('/v1/supported-chains?projectId=demo')
    expect(SupportedChains.parse(await response.json())).toEqual({
      http: ['eip155:31337', solanaId, bitcoinId, 'eip155:31338'],
      ws: [],
    })
  })

  test('a page contains additional networks, but never their upstreams', async () => {
    const html = await (await app.get('/?projectId=demo')).text()
    expect(html).toContain('"networks":[{"id":"eip155:31337","name":"Devnet"')
    expect(html).not.toContain('operators-key')
  })
})
