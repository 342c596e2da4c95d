import { manualClock } from '@postern/base/testing/manual-clock'
import { createEsploraClient } from '@postern/chains/bip122/esplora-client'
import { createJsonRpcClient } from '@postern/chains/nodes/json-rpc'
import { errors, limits } from '@postern/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { memoryStorage } from '../testing/test-page'
import { createDirectoryClient } from './directory'
import { createHttpClient } from './http'
import { createHostStorage } from './storage'

type Call = { readonly url: URL; readonly init: RequestInit }

/** Rejects when its signal aborts. */
function fakeFetch(answer: (call: Call) => Response | Promise<Response>) {
  const calls: Call[] = []
  const fetch: typeof globalThis.fetch = (input, init = {}) => {
    const call = { url: new URL(String(input)), init }
    calls.push(call)
    return new Promise((resolve, reject) => {
      if (init.signal?.aborted) return reject(init.signal.reason)
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      Promise.resolve()
        .then(() => answer(call))
        .then(resolve, reject)
    })
  }
  return { fetch, calls }
}

const never = () => new Promise<Response>(() => {})
const bodyOf = ({ init }: Call): unknown => JSON.parse(String(init.body))

describe('createHttpClient', () => {
  let ids = 0
  const randomId = () => `id-${++ids}`

  function client(answer: (call: Call) => Response | Promise<Response>) {
    const clock = manualClock()
    const { fetch, calls } = fakeFetch(answer)
    const http = createHttpClient({
      fetch,
      clock,
      randomId,
      baseUrl: 'https://gateway.example',
      identity: () => ({ projectId: 'demo', st: 'postern', sv: '1.2.3', absent: undefined }),
    })
    return { http, clock, calls }
  }

  it('identifies the caller, and joins lists with commas (spec §7)', async () => {
    const { http, calls } = client(() => Response.json({ data: [], count: 0 }))
    await createDirectoryClient(http).wallets({ page: 2, include: ['a', 'b'], exclude: [] })
    calls[0]?.url.searchParams.delete('clientId')
    expect(calls[0]?.url.href).toBe(
      'https://gateway.example/getWallets?page=2&entries=40&include=a%2Cb&projectId=demo&st=postern&sv=1.2.3',
    )
  })

  it('sends a client id that is unique to the page, but not with images (spec §7)', async () => {
    const [one, other] = [client(() => Response.json({})), client(() => Response.json({}))]
    for (const { http } of [one, one, other]) await http.get('/getWallets')
    await one.http.post('/e', { body: {} })
    const ids = [...one.calls, ...other.calls].map(({ url }) => url.searchParams.get('clientId'))
    expect(ids[0]).toMatch(/^id-\d+$/)
    expect(new Set(ids).size).toBe(2)
    expect(ids.slice(0, 3)).toEqual([ids[0], ids[0], ids[0]])
    expect(one.http.url('/public/getAssetImage/1')).not.toContain('clientId')
  })

  it('requests a hundred when searching (spec §7, §9)', async () => {
    const { http, calls } = client(() => Response.json({ data: [], count: 0 }))
    await createDirectoryClient(http).wallets({ search: 'meta' })
    expect(calls[0]?.url.searchParams.get('entries')).toBe('100')
  })

  it('requests certified wallets only (spec §7)', async () => {
    const { http, calls } = client(() => Response.json({ data: [], count: 0 }))
    await createDirectoryClient(http).wallets({ certified: true })
    await createDirectoryClient(http).wallets({})
    expect(calls.map(({ url }) => url.searchParams.get('badge_type'))).toEqual(['certified', null])
  })

  it('sends a body as JSON (spec §7)', async () => {
    const { http, calls } = client(() => Response.json({ ok: true }))
    for (const method of ['post', 'put', 'delete'] as const) await http[method]('/e', { body: { a: 1 } })
    expect(calls.map(({ init }) => init.method)).toEqual(['POST', 'PUT', 'DELETE'])
    expect(calls.map(bodyOf)).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }])
  })

  it('throws HTTP status code: N, with the body (spec §7)', async () => {
    const body = { status: 'error', reasons: [{ name: 'origin', description: 'Unauthorized: origin not allowed' }] }
    const { http } = client(() => Response.json(body, { status: 403 }))
    await expect(http.get('/getWallets')).rejects.toMatchObject({ message: 'HTTP status code: 403', status: 403, body })
  })

  it('times out after 10 s, and aborts with its signal (spec §9)', async () => {
    let onAsked = () => {}
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve
    })
    const { http, clock } = client(() => {
      onAsked()
      return never()
    })
    const slow = http.get('/getWallets')
    await asked
    clock.advance(limits.rpcTimeout)
    await expect(slow).rejects.toMatchObject({ code: 'TIMEOUT' })
    const controller = new AbortController()
    const aborted = http.get('/getWallets', { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    expect(clock.pending()).toBe(0)
  })

  it('rejects a directory response that does not parse', async () => {
    const { http } = client(() => Response.json({ data: [{ name: 'no id' }], count: 1 }))
    await expect(createDirectoryClient(http).wallets({})).rejects.toThrow()
  })
})

describe('createJsonRpcClient', () => {
  function client(endpoints: readonly string[], answer: (call: Call) => Response | Promise<Response>) {
    const clock = manualClock()
    const { fetch, calls } = fakeFetch(answer)
    return { rpc: createJsonRpcClient({ endpoints, fetch, clock }), clock, calls }
  }
  const reply = (id: number, result: unknown) => ({ jsonrpc: '2.0', id, result })
  const unreachableReply = {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32603, message: errors.NETWORK_UNREACHABLE.message },
  }

  it('1. sends a single request bare, and those of one turn as one batch (spec §7)', async () => {
    const { rpc, calls } = client(['https://a.example/'], (call) => {
      const body = bodyOf(call)
      return Response.json(
        Array.isArray(body) ? body.map(({ id, method }) => reply(id, method)).reverse() : reply(1, 'alone'),
      )
    })
    expect(await rpc.request({ method: 'eth_chainId' })).toBe('alone')
    expect(bodyOf(calls[0] ?? { url: new URL('a:'), init: {} })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_chainId',
      params: [],
    })
    const both = await Promise.all([
      rpc.request({ method: 'eth_gasPrice' }),
      rpc.request({ method: 'eth_blockNumber' }),
    ])
    expect(both).toEqual(['eth_gasPrice', 'eth_blockNumber'])
    expect(calls).toHaveLength(2)
  })

  it('6. asks once more after the Retry-After of an endpoint that limits the rate', async () => {
    const { rpc, clock, calls } = client(['https://a.example/'], () => {
      if (calls.length > 1) return Response.json(reply(1, '0x1'))
      return new Response('slow down', { status: 429, headers: { 'retry-after': '7' } })
    })
    const answer = rpc.request({ method: 'eth_chainId' })
    await expect
      .poll(() => {
        clock.advance(1_000)
        return calls.length
      })
      .toBe(2)
    expect(await answer).toBe('0x1')
  })

  it.each([[{}], [{ 'retry-after': '60' }], [{ 'retry-after': 'tomorrow' }]])(
    '6. does not wait for %o',
    async (headers) => {
      const { rpc, calls } = client(['https://a.example/'], () => new Response('', { status: 429, headers }))
      await expect(rpc.request({ method: 'eth_chainId' })).rejects.toMatchObject({
        code: 'NETWORK_UNREACHABLE',
        message: errors.NETWORK_UNREACHABLE.message,
        data: { status: 429 },
      })
      expect(calls).toHaveLength(1)
    },
  )

  it('3. says that a page is no answer, not that its status is 200', async () => {
    const { rpc } = client(['https://a.example/'], () => new Response('<html>'))
    await expect(rpc.request({ method: 'eth_chainId' })).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      rpc: -32603,
      message: expect.stringContaining('not JSON-RPC'),
    })
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['is gone', () => Promise.reject(new TypeError('failed to fetch'))],
    ['fails', () => new Response('', { status: 500 })],
    ['is a gateway whose endpoints are gone', () => Response.json(unreachableReply, { status: 502 })],
  ])('8. says that the network cannot be reached, and no status, if the endpoint %s', async (_what, broken) => {
    const { rpc } = client(['https://a.example/'], broken)
    await expect(rpc.request({ method: 'eth_chainId' })).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      rpc: -32603,
      message: errors.NETWORK_UNREACHABLE.message,
    })
  })

  it('7. refuses a bigint or a cycle, and sends the rest of the batch', async () => {
    const { rpc } = client(['https://a.example/'], (call) => {
      const body = bodyOf(call)
      return Response.json(Array.isArray(body) ? body.map(({ id }) => reply(id, 1)) : reply(1, '0x1'))
    })
    const cycle: unknown[] = []
    cycle.push(cycle)
    const good = rpc.request({ method: 'eth_chainId' })
    for (const params of [[{ value: 1n }], cycle])
      await expect(rpc.request({ method: 'eth_call', params })).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringContaining('hexadecimal'),
      })
    expect(await good).toBe('0x1')
  })

  it('1. splits more than a thousand (spec §7, §9)', async () => {
    const { rpc, calls } = client(['https://a.example/'], (call) => {
      const body = bodyOf(call)
      return Response.json(Array.isArray(body) ? body.map(({ id }) => reply(id, 1)) : reply(1001, 1))
    })
    await Promise.all(Array.from({ length: limits.rpcBatchSize + 1 }, () => rpc.request({ method: 'eth_chainId' })))
    expect(calls).toHaveLength(2)
  })

  it.each([
    ['cannot be reached', () => Promise.reject(new TypeError('failed to fetch'))],
    ['answers with a page', () => new Response('<html>', { status: 502 })],
    ['answers with other JSON', () => Response.json({ hello: 1 })],
  ])('2. tries the next endpoint when one %s (spec §7)', async (_what, broken) => {
    const { rpc, calls } = client(['https://a.example/', 'https://b.example/'], (call) =>
      call.url.host === 'a.example' ? broken() : Response.json(reply(1, '0x1')),
    )
    expect(await rpc.request({ method: 'eth_chainId' })).toBe('0x1')
    expect(calls.map(({ url }) => url.host)).toEqual(['a.example', 'b.example'])
  })

  it('2. tries the next endpoint after 10 s of silence', async () => {
    const { rpc, clock, calls } = client(['https://a.example/', 'https://b.example/'], ({ url }) => {
      if (url.host === 'b.example') return Response.json(reply(1, '0x1'))
      queueMicrotask(() => clock.advance(limits.rpcTimeout))
      return never()
    })
    expect(await rpc.request({ method: 'eth_chainId' })).toBe('0x1')
    expect(calls).toHaveLength(2)
  })

  describe('5. a transaction accepted by an endpoint that did not respond', () => {
    // Source: the example of EIP-155.
    const raw =
      '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83'
    const hash = '0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788'
    const endpoints = ['https://a.example/', 'https://b.example/']
    const refusal = (message: string) => Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message } })
    const send = { method: 'eth_sendRawTransaction', params: [raw] }
    const broken = () => Promise.reject(new TypeError('failed to fetch'))

    it.each(['already known', 'AlreadyKnown', 'Transaction with the same hash was already imported.'])(
      'resolves with its hash when the next endpoint says %j',
      async (message) => {
        const { rpc } = client(endpoints, ({ url }) => (url.host === 'a.example' ? broken() : refusal(message)))
        expect(await rpc.request(send)).toBe(hash)
      },
    )

    it.each<[string, string, unknown, boolean]>([
      ['another refusal', 'nonce too low', send, true],
      ['the same words of the first endpoint', 'already known', send, false],
      ['another method', 'already known', { ...send, method: 'eth_call' }, true],
      ['no bytes', 'already known', { ...send, params: ['0xf'] }, true],
      ['a kind whose hash is another one', 'already known', { ...send, params: ['0x7101'] }, true],
      ['no parameters', 'already known', { ...send, params: { 0: raw } }, true],
    ])('stays the error that it is with %s', async (_what, message, request, isSecond) => {
      const { rpc } = client(endpoints, ({ url }) =>
        isSecond && url.host === 'a.example' ? broken() : refusal(message),
      )
      const { method, params } = z.object({ method: z.string(), params: z.unknown() }).parse(request)
      await expect(rpc.request({ method, params })).rejects.toMatchObject({ rpc: -32000, message })
    })
  })

  it('2. passes on the chain’s own error, even with a status that is not OK', async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    const { rpc, calls } = client(['https://a.example/', 'https://b.example/'], () =>
      Response.json({ jsonrpc: '2.0', id: 1, error }, { status: 400 }),
    )
    await expect(rpc.request({ method: 'eth_call' })).rejects.toMatchObject({
      rpc: 3,
      message: 'execution reverted',
      data: '0x08c379a0',
    })
    expect(calls).toHaveLength(1)
  })

  it('3. settles a request missing from a batch response, and all of a batch refused as a whole', async () => {
    const partial = client(['https://a.example/'], () => Response.json([reply(1, 'one')]))
    const [first, second] = [partial.rpc.request({ method: 'a' }), partial.rpc.request({ method: 'b' })]
    expect(await first).toBe('one')
    await expect(second).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' })
    const refused = client(['https://a.example/'], () =>
      Response.json({ jsonrpc: '2.0', id: null, error: { code: -32005, message: 'slow down' } }),
    )
    const all = await Promise.allSettled([refused.rpc.request({ method: 'a' }), refused.rpc.request({ method: 'b' })])
    expect(all).toMatchObject([{ reason: { rpc: -32005 } }, { reason: { rpc: -32005 } }])
  })

  it('3. settles by its signal, even inside a batch', async () => {
    const { rpc } = client(['https://a.example/'], never)
    const controller = new AbortController()
    const answer = rpc.request({ method: 'eth_chainId' }, controller.signal)
    void rpc.request({ method: 'eth_gasPrice' }).catch(() => {})
    controller.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ABORTED' })
    await expect(rpc.request({ method: 'eth_chainId' }, controller.signal)).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('4. reports a missing endpoint (spec §8)', async () => {
    const { rpc } = client([], never)
    await expect(rpc.request({ method: 'eth_chainId' })).rejects.toThrow('No URL was provided to the Transport')
  })
})

describe('createEsploraClient', () => {
  const own = 'https://esplora.example/api/'
  const gateway = 'https://gateway.example/v1/esplora/bip122:1?projectId=demo&st=postern'

  function client(endpoints: readonly string[], answer: (call: Call) => Response | Promise<Response>) {
    const clock = manualClock()
    const { fetch, calls } = fakeFetch(answer)
    return { esplora: createEsploraClient({ endpoints, fetch, clock }), clock, calls }
  }

  it('appends the path to the base, and keeps the identifying query', async () => {
    const { esplora, calls } = client([own, gateway], ({ url }) =>
      url.host === 'esplora.example' ? new Response(null, { status: 503 }) : Response.json({ funded: 1 }),
    )
    expect(await esplora.get('/address/bc1qexample/utxo')).toEqual({ funded: 1 })
    expect(calls.map(({ url }) => url.href)).toEqual([
      'https://esplora.example/api/address/bc1qexample/utxo',
      'https://gateway.example/v1/esplora/bip122:1/address/bc1qexample/utxo?projectId=demo&st=postern',
    ])
  })

  it('reads JSON as JSON and text as text, even if it looks like a number', async () => {
    const { esplora } = client([own], ({ url }) =>
      url.pathname.endsWith('/hex')
        ? new Response('0200', { headers: { 'content-type': 'text/plain' } })
        : Response.json([]),
    )
    expect(await esplora.get('/tx/1/hex')).toBe('0200')
    expect(await esplora.get('/address/a/utxo')).toEqual([])
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['cannot be reached', () => Promise.reject(new TypeError('failed to fetch'))],
    ['is broken', () => new Response('<html>', { status: 502 })],
    ['limits us', () => new Response('slow down', { status: 429 })],
  ])('1. hands over when an endpoint %s', async (_what, broken) => {
    const { esplora, calls } = client([own, gateway], ({ url }) =>
      url.host === 'esplora.example' ? broken() : new Response('txid'),
    )
    expect(await esplora.post('/tx', '0200')).toBe('txid')
    expect(calls.map(({ init }) => [init.method, init.body])).toEqual([
      ['POST', '0200'],
      ['POST', '0200'],
    ])
  })

  it('1. tries the next endpoint after 10 s of silence', async () => {
    const { esplora, clock } = client([own, gateway], ({ url }) => {
      if (url.host === 'gateway.example') return Response.json(1)
      queueMicrotask(() => clock.advance(limits.rpcTimeout))
      return never()
    })
    expect(await esplora.get('/blocks/tip/height')).toBe(1)
    expect(clock.pending()).toBe(0)
  })

  it('2. passes on the chain’s own refusal, and tries no other endpoint', async () => {
    const words = 'sendrawtransaction RPC error: {"code":-26,"message":"dust"}'
    const { esplora, calls } = client([own, gateway], () => new Response(words, { status: 400 }))
    await expect(esplora.post('/tx', '0200')).rejects.toMatchObject({ code: 'INTERNAL', message: words })
    expect(calls).toHaveLength(1)
  })

  it('3. settles by its signal, or by the last endpoint’s failure', async () => {
    const slow = client([own, gateway], never)
    const controller = new AbortController()
    const answer = slow.esplora.get('/a', controller.signal)
    controller.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ABORTED' })
    expect(slow.calls).toHaveLength(1)
    const broken = client([own], () => new Response('<html>', { status: 500 }))
    await expect(broken.esplora.get('/a')).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE', data: { status: 500 } })
  })

  it.each<[string, () => Response | Promise<Response>, string]>([
    ['is gone', () => Promise.reject(new TypeError('failed to fetch')), errors.NETWORK_UNREACHABLE.message],
    ['fails with its own words', () => new Response('upstream', { status: 502 }), errors.NETWORK_UNREACHABLE.message],
    [
      'sends a page',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      'The endpoint’s answer is a page, not Esplora’s. Check the URL of the endpoint',
    ],
    [
      'sends half an answer',
      () => new Response('[{"tx', { headers: { 'content-type': 'application/json' } }),
      errors.NETWORK_UNREACHABLE.message,
    ],
  ])('5. says that the network cannot be reached if the endpoint %s', async (_what, broken, message) => {
    const { esplora } = client([own], broken)
    await expect(esplora.get('/a')).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE', rpc: -32603, message })
  })

  it('6. asks once more after the Retry-After of an endpoint that limits the rate', async () => {
    const { esplora, clock, calls } = client([own], () => {
      if (calls.length > 1) return Response.json(1)
      return new Response('slow down', { status: 429, headers: { 'retry-after': '7' } })
    })
    const answer = esplora.get('/blocks/tip/height')
    await expect
      .poll(() => {
        clock.advance(1_000)
        return calls.length
      })
      .toBe(2)
    expect(await answer).toBe(1)
  })

  it('4. reports a missing endpoint', async () => {
    await expect(client([], never).esplora.get('/a')).rejects.toThrow('No URL was provided to the Transport')
  })
})

describe('createHostStorage', () => {
  const base = { projectId: 'demo', origin: 'https://dapp.example' }
  const denied = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  let kept: [string, string | null][] = []
  const keepInPage = async (key: string, value: string | null) => void kept.push([key, value])
  afterEach(() => {
    kept = []
  })

  it('1. stores values in the frame if it can', () => {
    const memory = memoryStorage()
    const storage = createHostStorage({ ...base, frameStorage: () => memory, stored: {}, keepInPage })
    storage.set('session.eip155', 'x')
    expect(storage.place).toBe('frame')
    expect(memory.getItem('@postern/demo/https://dapp.example/session.eip155')).toBe('x')
    expect(memory.getItem('@postern/probe')).toBeNull()
    expect(kept).toEqual([])
  })

  it('1. stores values in the page if the frame denies storage', () => {
    const storage = createHostStorage({ ...base, frameStorage: denied, stored: { 'demo/recent': '[]' }, keepInPage })
    expect(storage.place).toBe('page')
    expect(storage.get('recent')).toBe('[]')
    storage.set('recent', null)
    storage.set('session.eip155', 'x')
    expect(storage.get('recent')).toBeNull()
    expect(kept).toEqual([
      ['demo/recent', null],
      ['demo/session.eip155', 'x'],
    ])
  })

  it('1. stores values in the page if reading works and writing does not', () => {
    const readOnly = { ...memoryStorage(), setItem: denied }
    expect(createHostStorage({ ...base, frameStorage: () => readOnly, stored: {}, keepInPage }).place).toBe('page')
  })

  it('2. separates two dapps and two projects of one site', () => {
    const memory = memoryStorage()
    const open = (changes: Partial<typeof base>) =>
      createHostStorage({ ...base, ...changes, frameStorage: () => memory, stored: {}, keepInPage })
    open({}).set('recent', 'mine')
    expect(open({ origin: 'https://other.dapp.example' }).get('recent')).toBeNull()
    expect(open({ projectId: 'other' }).get('recent')).toBeNull()
    expect(open({}).get('recent')).toBe('mine')
  })

  it('3. reads its last write even when the frame’s storage is full', () => {
    const memory = memoryStorage()
    let isFull = false
    const full: Storage = { ...memory, setItem: (key, value) => (isFull ? denied() : memory.setItem(key, value)) }
    const storage = createHostStorage({ ...base, frameStorage: () => full, stored: {}, keepInPage })
    storage.set('recent', 'old')
    isFull = true
    storage.set('recent', 'new')
    expect(storage.get('recent')).toBe('new')
  })

  it('4. stores large values in the page, drops those too large for it, and still reads its last write', () => {
    const storage = createHostStorage({ ...base, frameStorage: denied, stored: {}, keepInPage })
    const large = 'x'.repeat(1_048_576)
    storage.set('wc/core', large)
    storage.set('wc/core', `${large}y`)
    storage.set(`wc/${'n'.repeat(128)}`, 'x')
    expect(kept).toEqual([
      ['demo/wc/core', large],
      ['demo/wc/core', null],
    ])
    expect(storage.get('wc/core')).toBe(`${large}y`)
    expect(storage.get(`wc/${'n'.repeat(128)}`)).toBe('x')
  })

  it('3. reads its last write although an older copy of the page comes before the page has stored it', async () => {
    const confirms: (() => void)[] = []
    const hold = () => new Promise<void>((resolve) => confirms.push(resolve))
    const storage = createHostStorage({ ...base, frameStorage: denied, stored: {}, keepInPage: hold })
    storage.set('session.eip155', 'first')
    storage.set('session.eip155', 'connected')
    storage.set('recent', null)
    confirms[0]?.()
    await Promise.resolve()
    storage.reload({ 'demo/recent': '[]', 'demo/active': 'eip155:1' })
    expect(['session.eip155', 'recent', 'active'].map(storage.get)).toEqual(['connected', null, 'eip155:1'])
    for (const confirm of confirms) confirm()
    await Promise.resolve()
    storage.reload({ 'demo/recent': '[1]' })
    expect(['session.eip155', 'recent', 'active'].map(storage.get)).toEqual([null, '[1]', null])
  })

  it('4. keeps what is too large for the page when the page sends its copy', async () => {
    const storage = createHostStorage({ ...base, frameStorage: denied, stored: {}, keepInPage })
    const name = `wc/${'n'.repeat(128)}`
    storage.set('wc/core', 'x'.repeat(1_048_577))
    storage.set(name, 'x')
    await Promise.resolve()
    storage.reload({})
    expect([storage.get('wc/core')?.length, storage.get(name)]).toEqual([1_048_577, 'x'])
    storage.set('wc/core', 'small')
    await Promise.resolve()
    storage.reload({ 'demo/wc/core': 'of another tab' })
    expect(storage.get('wc/core')).toBe('of another tab')
  })

  it('reloads what another tab wrote, and recognizes its own keys', () => {
    const storage = createHostStorage({ ...base, frameStorage: denied, stored: {}, keepInPage })
    storage.reload({ 'demo/recent': '[1]' })
    expect(storage.get('recent')).toBe('[1]')
    expect(storage.owns('@postern/demo/https://dapp.example/recent')).toBe(true)
    expect(storage.owns('@postern/demo/https://other.example/recent')).toBe(false)
    expect(storage.owns(null)).toBe(true)
    expect(storage.owns('@postern/demo/https://dapp.example/wc/core')).toBe(false)
  })
})
