import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app'
import { callLimit } from '../../testing/call-limit'
import { createEsplora } from './upstream'

const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
const regtest = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'
const dead = 'bip122:000000000933ea01ad0ee984209779ba'
const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const txid = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16'
/** BIP 143's signed example. */
const signed =
  '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000'
const signedId = 'e8151a2af31c368a35053ddd4bdb285a8595c769a3ad83e0fa02314a602d4609'

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void
const json: Handler = (_, response) => response.end('{"1":12.5}')

let first: Handler = json
let second: Handler = json
let seen: string[] = []
let failures: object[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  seen.push(`${request.method} ${request.url}`)
  const handler = request.url?.startsWith('/first') === true ? first : second
  handler(request, response, body)
})

let app: TestApp
let now = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('not listening on a port')
  const base = `http://127.0.0.1:${at.port}`
  app = await startTestApp({
    networks: [
      { id: bitcoin, upstreams: [`${base}/first/api/?key=operators-key`, `${base}/second/api`] },
      { id: regtest, upstreams: [`${base}/second`] },
      { id: dead, upstreams: ['http://127.0.0.1:1/operators-key'] },
      { id: 'eip155:1', upstreams: [base] },
    ],
    ...callLimit({ perSecond: 1, burst: 100 }, () => now),
    now: () => now,
    // A jump, so that no failed upstream is skipped in the next test.
    esplora: createEsplora({
      fetch,
      now: () => now,
      // Never reached: one second was too short on a busy machine.
      timeout: 20_000,
      maxResponseBytes: 1_000_000,
      onFailure: (failure) => failures.push(failure),
    }),
  })
})
afterAll(async () => {
  await app.close()
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
})
beforeEach(() => {
  now += 1e9
  first = json
  second = json
  seen = []
  failures = []
})

const read = (path: string, network = bitcoin) => app.get(`/v1/esplora/${network}${path}?projectId=demo`)
const send = (body: string, headers: Record<string, string> = { 'Content-Type': 'text/plain' }, network = bitcoin) =>
  app.request(`/v1/esplora/${network}/tx?projectId=demo`, { method: 'POST', body, headers })
const answering =
  (status: number, text: string): Handler =>
  (_, response) => {
    response.statusCode = status
    response.end(text)
  }

describe('forwards listed requests', () => {
  test.each([
    [`/address/${address}`, '{"chain_stats":{}}', 'application/json'],
    [`/address/${address}/utxo`, '[]', 'application/json'],
    [`/address/${address}/txs`, '[]', 'application/json'],
    [`/tx/${txid}`, '{}', 'application/json'],
    [`/tx/${txid}/status`, '{"confirmed":false}', 'application/json'],
    [`/tx/${txid}/hex`, '0100', 'text/plain; charset=utf-8'],
    ['/blocks/tip/height', '840000\n', 'text/plain; charset=utf-8'],
    ['/fee-estimates', '{"1":1}', 'application/json'],
  ])('GET %s', async (path, text, type) => {
    first = answering(200, text)
    const response = await read(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe(type)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await response.text()).toBe(text.trim())
    // 5: the upstream's path and key stay.
    expect(seen).toEqual([`GET /first/api${path}?key=operators-key`])
  })

  test('posts a transaction and returns its id', async () => {
    let received = ''
    first = (request, response, body) => {
      received = `${request.headers['content-type']} ${body}`
      response.end(signedId)
    }
    const response = await send(`${signed}\n`)
    expect([response.status, await response.text()]).toEqual([200, signedId])
    expect(received).toBe(`text/plain ${signed}`)
  })

  test('accepts an encoded network id', async () => {
    expect((await app.get(`/v1/esplora/${encodeURIComponent(bitcoin)}/blocks/tip/height?projectId=demo`)).status).toBe(
      502,
    )
    expect(seen.length).toBeGreaterThan(0)
  })
})

describe('1. forwards nothing else', () => {
  test.each([
    `/address/../../admin`,
    `/address/${address}/../../../admin`,
    `/address/%2e%2e/%2e%2e/admin`,
    `/address/..%2f..%2fadmin`,
    `/address/${address}%2futxo`,
    `/address/${address}%3fx=1`,
    `/address/${address}%23`,
    `/address/${address}%00`,
    `/address/${address}%0d%0aX: y`,
    `/address/${address}//utxo`,
    `/address//${address}`,
    `//evil.test/address/${address}`,
    `/address/${address}@evil.test`,
    '/address/http:%2f%2fevil.test%2faaaaaaaaaaaa',
    `/address/${'a'.repeat(91)}`,
    '/address/short',
    `/tx/${txid.toUpperCase()}`,
    `/tx/${txid}0`,
    `/tx/${txid}/raw`,
    `/tx/${txid}/outspends/0`,
    `/tx/${txid}/outspend`,
    '/tx/../mempool',
    '/mempool',
    '/mempool/txids',
    '/blocks',
    '/blocks/tip/hash',
    '/internal/mempool/txs',
    '/v1/fees/recommended',
    '/',
    '',
  ])('GET %s', async (path) => {
    const response = await read(path)
    expect([400, 404]).toContain(response.status)
    expect(seen).toEqual([])
  })

  test('forwards only listed paths, for any path', async () => {
    const part = fc.oneof(
      fc.constantFrom('address', 'tx', 'utxo', 'txs', 'status', 'hex', address, txid, '..', '.', '%2e%2e', '%2f', ''),
      fc.string({ maxLength: 8 }),
      fc.string({ maxLength: 8 }).map(encodeURIComponent),
    )
    const listed =
      /^GET \/first\/api\/(address\/[a-zA-Z0-9]{14,90}(\/(utxo|txs))?|tx\/[0-9a-f]{64}(\/(status|hex))?)\?key=operators-key$/
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), fc.string({ maxLength: 12 }), async (parts, query) => {
        now += 1e9
        seen = []
        first = answering(404, 'none')
        const path = parts.map((text) => text.replace(/[#?]/g, '')).join('/')
        await app.get(`/v1/esplora/${bitcoin}/${path}?${query.replaceAll('#', '')}&projectId=demo`)
        for (const sent of seen) expect(sent).toMatch(listed)
      }),
      { numRuns: 300 },
    )
  })

  test('drops the caller’s parameters', async () => {
    await app.get(`/v1/esplora/${bitcoin}/tx/${txid}?projectId=demo&key=mine&after_txid=${txid}&x=%26key%3Dmine`)
    expect(seen).toEqual([`GET /first/api/tx/${txid}?key=operators-key`])
  })

  test.each(['PUT', 'DELETE', 'PATCH', 'POST'])('%s on a read is 404', async (method) => {
    const response = await app.request(`/v1/esplora/${bitcoin}/tx/${txid}?projectId=demo`, { method })
    expect(response.status).toBe(404)
    expect(seen).toEqual([])
  })

  test.each([
    ['a network that is not configured', 'bip122:00000000da84f2bafbbc53dee25a72ae'],
    ['no network', 'bitcoin'],
    ['a path that climbs', '..%2f..'],
    ['a prototype', '__proto__'],
    ['a network that speaks JSON-RPC', 'eip155:1'],
  ])('rejects %s', async (_, network) => {
    const response = await read(`/tx/${txid}`, network)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ reasons: [{ name: 'chainId' }] })
    expect(seen).toEqual([])
  })

  test('does not follow redirects', async () => {
    first = (_, response) => {
      response.writeHead(302, { Location: '/second/secret' })
      response.end()
    }
    second = answering(200, '{}')
    await read(`/tx/${txid}`)
    expect(seen).toEqual([`GET /first/api/tx/${txid}?key=operators-key`, `GET /second/api/tx/${txid}`])
  })

  test('rejects an origin that is not allowed, and an unknown project', async () => {
    const url = `/v1/esplora/${bitcoin}/tx/${txid}`
    expect((await app.get(`${url}?projectId=demo`, { Origin: 'https://evil.test' })).status).toBe(403)
    expect((await app.get(`${url}?projectId=other`)).status).toBe(401)
    expect(seen).toEqual([])
  })
})

describe('2. a transaction is hexadecimal text up to the relay limit', () => {
  test.each<[string, string, Record<string, string>, number]>([
    ['JSON', JSON.stringify(signed), { 'Content-Type': 'application/json' }, 415],
    ['a form', signed, { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['nothing', '', { 'Content-Type': 'text/plain' }, 400],
    ['half a byte', `${signed}0`, { 'Content-Type': 'text/plain' }, 400],
    ['what is no hexadecimal', 'deadbeefx0', { 'Content-Type': 'text/plain' }, 400],
    ['two of them', `${signed}\n${signed}`, { 'Content-Type': 'text/plain' }, 400],
    ['more than is relayed', '00'.repeat(400_001), { 'Content-Type': 'text/plain' }, 413],
  ])('%s is refused', async (_, body, headers, status) => {
    expect((await send(body, headers)).status).toBe(status)
    expect(seen).toEqual([])
  })

  test('forwards a transaction of the maximum size', async () => {
    first = answering(400, 'bad-txns')
    expect((await send('00'.repeat(400_000), { 'Content-Type': 'Text/Plain;charset=UTF-8' })).status).toBe(400)
    expect(seen).toHaveLength(1)
  })
})

describe('3. the rate limit', () => {
  test('is the same as for JSON-RPC', async () => {
    for (let times = 0; times < 100; times++) expect((await read('/fee-estimates')).status).toBe(200)
    const refused = await read(`/tx/${txid}`)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toBe('1')
    expect((await send(signed)).status).toBe(429)
    expect(seen).toHaveLength(1)
  })
})

describe('4. fee estimates', () => {
  test('are cached per network', async () => {
    await Promise.all([read('/fee-estimates'), read('/fee-estimates'), read('/fee-estimates', regtest)])
    expect(seen.toSorted()).toEqual(['GET /first/api/fee-estimates?key=operators-key', 'GET /second/fee-estimates'])
    now += 15_000
    await read('/fee-estimates')
    expect(seen).toHaveLength(3)
  })

  test('are not cached after a failure', async () => {
    second = answering(500, 'no')
    expect((await read('/fee-estimates', regtest)).status).toBe(502)
    second = json
    expect((await read('/fee-estimates', regtest)).status).toBe(200)
  })
})

describe('upstream fallback', () => {
  test.each<[string, Handler]>([
    ['2. an error of its own', answering(500, 'no')],
    ['2. too many requests', answering(429, 'slow down')],
    ['2. markup where JSON was asked for', answering(200, '<html>')],
    ['2. a server that knows no Esplora', answering(404, '<!doctype html><h1>Not found</h1>')],
    ['2. an answer without end', (_, response) => response.end(`[${'0,'.repeat(600_000)}0]`)],
    ['2. a connection that breaks', (request) => request.socket.destroy()],
  ])('%s is for the next one', async (_, handler) => {
    first = handler
    second = answering(200, '{"from":"second"}')
    expect(await (await read(`/tx/${txid}`)).text()).toBe('{"from":"second"}')
    expect(failures).toEqual([{ host: expect.stringMatching(/^127\.0\.0\.1:\d+$/), reason: expect.any(String) }])
    expect(app.log()).not.toContain(txid)
  })

  test.each([
    [404, 'Transaction not found'],
    [400, 'Invalid hex string'],
  ])("3. passes on Esplora's own %i", async (status, text) => {
    first = answering(status, text)
    const response = await read(`/tx/${txid}`)
    expect([response.status, await response.text()]).toEqual([status, text])
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/)
    expect(response.headers.get('Content-Security-Policy')).toContain('sandbox')
    expect(seen).toHaveLength(1)
  })

  test('4. treats a transaction that the first upstream failed on and the second already has as sent', async () => {
    first = answering(500, 'lost')
    second = answering(400, 'sendrawtransaction RPC error: {"code":-27,"message":"Transaction already in block chain"}')
    const response = await send(signed)
    expect([response.status, await response.text()]).toEqual([200, signedId])
  })

  test('4. passes on an “already known” of the first upstream, and every other refusal', async () => {
    second = answering(400, 'txn-already-known')
    expect((await send(signed, undefined, regtest)).status).toBe(400)
    first = answering(500, 'lost')
    second = answering(400, 'bad-txns-inputs-missingorspent')
    expect((await send(signed)).status).toBe(400)
  })

  test('5. an unreachable network is 502, and reveals nothing of its upstreams', async () => {
    const response = await read(`/tx/${txid}`, dead)
    expect(response.status).toBe(502)
    expect(await response.text()).toBe(
      '{"status":"error","reasons":[{"name":"network","description":"The network could not be reached"}]}',
    )
  })
})
