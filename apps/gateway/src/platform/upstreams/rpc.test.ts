import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { noon } from '../../testing/clock'
import { type FailureReason, UpstreamsFailedError } from './attempt'
import { createUpstreams } from './rpc'

type Handler = (body: unknown, response: ServerResponse) => void
const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

/** On loopback; `seen` lists the calls that reached it. */
async function upstream(handler: Handler): Promise<{ url: string; seen: unknown[] }> {
  const seen: unknown[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const body: unknown = JSON.parse(text)
    seen.push(body)
    handler(body, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  const { port } = address
  return { url: `http://127.0.0.1:${port}/key-of-the-operator`, seen }
}

type Sent = { id: number; method: string }
const answering =
  (answer: (call: Sent) => object): Handler =>
  (body, response) => {
    const answers = (Array.isArray(body) ? body : [body]).map((call: Sent) => ({
      jsonrpc: '2.0',
      id: call.id,
      ...answer(call),
    }))
    response.end(JSON.stringify(Array.isArray(body) ? answers.reverse() : answers[0]))
  }
const echo = answering((call) => ({ result: call.method }))

function client(options: { timeout?: number; maxResponseBytes?: number; now?: () => number } = {}) {
  const failures: { host: string; reason: FailureReason }[] = []
  const upstreams = createUpstreams({
    fetch,
    now: options.now ?? (() => noon),
    timeout: options.timeout ?? 5_000,
    maxResponseBytes: options.maxResponseBytes ?? 100_000,
    onFailure: (failure) => failures.push(failure),
  })
  return { failures, upstreams }
}

describe('createUpstreams', () => {
  test("5. returns responses in the order of the calls, whatever the upstream's order", async () => {
    const one = await upstream(echo)
    const answers = await client().upstreams.exchange([one.url], [{ method: 'a' }, { method: 'b' }, { method: 'c' }])
    expect(answers).toEqual([{ result: 'a' }, { result: 'b' }, { result: 'c' }])
  })

  test('a result of null is a result', async () => {
    const one = await upstream(answering(() => ({ result: null })))
    expect(await client().upstreams.exchange([one.url], [{ method: 'a' }])).toEqual([{ result: null }])
  })

  test('`error: null` beside a result is ignored, in a batch too, and so is a result of null beside an error', async () => {
    const error = { code: 3, message: 'execution reverted' }
    const one = await upstream(
      answering(({ method }) => (method === 'a' ? { error: null, result: '0x1' } : { result: null, error })),
    )
    const { upstreams, failures } = client()
    expect(await upstreams.exchange([one.url], [{ method: 'a' }])).toEqual([{ result: '0x1' }])
    expect(await upstreams.exchange([one.url], [{ method: 'a' }, { method: 'b' }])).toEqual([
      { result: '0x1' },
      { error },
    ])
    expect(failures).toEqual([])
  })

  const broken: [string, FailureReason, Handler][] = [
    ['a status of 500', 'status 500', (_, response) => response.writeHead(500).end('{}')],
    ['a status of 429', 'status 429', (_, response) => response.writeHead(429).end('{}')],
    [
      'a redirect',
      'no connection',
      (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
    ],
    ['HTML', 'not JSON-RPC', (_, response) => response.end('<html>key-of-the-operator')],
    [
      'an answer to something else',
      'not JSON-RPC',
      (_, response) => response.end('{"jsonrpc":"2.0","id":99,"result":1}'),
    ],
    ['neither result nor error', 'not JSON-RPC', (_, response) => response.end('{"jsonrpc":"2.0","id":1}')],
    ['a broken connection', 'no connection', (_, response) => response.destroy()],
    ['a body without end', 'too large', (_, response) => response.write('x'.repeat(200_000))],
    ['a dead silence', 'timeout', () => {}],
  ]
  test.each(broken)('2. 7. after %s (%s) the next upstream is tried', async (_, reason, handler) => {
    const [first, second] = [await upstream(handler), await upstream(echo)]
    const { upstreams, failures } = client({ timeout: reason === 'timeout' ? 1_000 : 20_000 })
    expect(await upstreams.exchange([first.url, second.url], [{ method: 'a' }])).toEqual([{ result: 'a' }])
    expect(failures).toEqual([{ host: new URL(first.url).host, reason }])
  })

  test("7. an error's text about the URL is not passed on", async () => {
    const failures: unknown[] = []
    const upstreams = createUpstreams({
      fetch: (url) => Promise.reject(new TypeError(`Request cannot be constructed from ${String(url)}`)),
      now: () => noon,
      timeout: 1_000,
      maxResponseBytes: 1_000,
      onFailure: (failure) => failures.push(failure),
    })
    const url = 'https://node.example.com/key-of-the-operator'
    await expect(upstreams.exchange([url], [{ method: 'a' }])).rejects.toThrow(UpstreamsFailedError)
    expect(failures).toEqual([{ host: 'node.example.com', reason: 'no connection' }])
  })

  test('1. fails within the total timeout if all upstreams are silent', async () => {
    const silent = [await upstream(() => {}), await upstream(() => {}), await upstream(() => {})]
    const { upstreams, failures } = client({ timeout: 3_000 })
    const startedAt = performance.now() // real time: the timeout is of the system's timers.
    const urls = silent.map(({ url }) => url)
    await expect(upstreams.exchange(urls, [{ method: 'a' }])).rejects.toThrow(UpstreamsFailedError)
    // real time: as above.
    expect(performance.now() - startedAt).toBeLessThan(8_000)
    expect(failures).toHaveLength(3)
  })

  test('3. a revert is the result, with its data, and no other upstream is tried', async () => {
    const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
    const [first, second] = [await upstream(answering(() => ({ error }))), await upstream(echo)]
    expect(await client().upstreams.exchange([first.url, second.url], [{ method: 'eth_call' }])).toEqual([{ error }])
    expect(second.seen).toEqual([])
  })

  test('3. replaces an upstream over its limit by another, or returns its refusal if there is no other', async () => {
    const error = { code: -32_005, message: 'limit exceeded' }
    const [first, second] = [await upstream(answering(() => ({ error }))), await upstream(echo)]
    const { upstreams } = client()
    expect(await upstreams.exchange([first.url, second.url], [{ method: 'a' }])).toEqual([{ result: 'a' }])
    expect(await upstreams.exchange([first.url], [{ method: 'a' }])).toEqual([{ error }])
  })

  test('4. tries a failed upstream last for 30 s, then first again', async () => {
    let works = false
    const first = await upstream((body, response) => (works ? echo(body, response) : response.writeHead(500).end()))
    const second = await upstream(echo)
    let at = 1_000_000
    const { upstreams } = client({ now: () => at })
    const urls = [first.url, second.url]
    await upstreams.exchange(urls, [{ method: 'a' }])
    works = true
    await upstreams.exchange(urls, [{ method: 'b' }])
    expect([first.seen.length, second.seen.length]).toEqual([1, 2])
    at += 30_000
    await upstreams.exchange(urls, [{ method: 'c' }])
    expect([first.seen.length, second.seen.length]).toEqual([2, 2])
  })

  test('6. a transaction that a failed upstream relayed counts as sent, with its own hash', async () => {
    // The keccak-256 of the raw transaction "0x01".
    const hash = '0x5fe7f977e71dba2ea1a68e21057beebb9be2ac30c6410aa38d4f3fbe41dcffd2'
    const known = answering(() => ({ error: { code: -32_000, message: 'already known' } }))
    const [first, second] = [await upstream((_, response) => response.writeHead(502).end()), await upstream(known)]
    const call = { method: 'eth_sendRawTransaction', params: ['0x01'] }
    expect(await client().upstreams.exchange([first.url, second.url], [call])).toEqual([{ result: hash }])
    expect(await client().upstreams.exchange([second.url], [call])).toMatchObject([
      { error: { message: 'already known' } },
    ])
  })

  test.each([
    ['an old blockhash', { err: 'BlockhashNotFound' }, -32_603],
    ['a program', { err: { InstructionError: [0, { Custom: 1 }] } }, -32_002],
  ])('10. what a failed upstream may have relayed, and the next one refuses for %s', async (_, data, code) => {
    const refusing = answering(() => ({ error: { code: -32_002, message: 'Transaction simulation failed', data } }))
    const [first, second] = [await upstream((_, response) => response.writeHead(502).end()), await upstream(refusing)]
    const call = { method: 'sendTransaction', params: ['AQ=='] }
    expect(await client().upstreams.exchange([first.url, second.url], [call])).toMatchObject([{ error: { code } }])
    expect(await client().upstreams.exchange([second.url], [call])).toMatchObject([{ error: { code: -32_002 } }])
  })

  const overtaken = (transaction: unknown) =>
    answering(({ method }) =>
      method === 'eth_sendRawTransaction'
        ? { error: { code: -32_000, message: 'nonce too low: next nonce 5, tx nonce 4' } }
        : { result: transaction },
    )

  test('6. so does a transaction that is mined before the next upstream is asked', async () => {
    const first = await upstream((_, response) => response.writeHead(502).end())
    const second = await upstream(overtaken({ blockNumber: '0x1' }))
    const call = { method: 'eth_sendRawTransaction', params: ['0x01'] }
    const { upstreams } = client()
    const [answer] = await upstreams.exchange([first.url, second.url], [call])
    expect(answer).toEqual({ result: '0x5fe7f977e71dba2ea1a68e21057beebb9be2ac30c6410aa38d4f3fbe41dcffd2' })
    expect(second.seen).toMatchObject([
      call,
      {
        method: 'eth_getTransactionByHash',
        params: ['0x5fe7f977e71dba2ea1a68e21057beebb9be2ac30c6410aa38d4f3fbe41dcffd2'],
      },
    ])
  })

  test('6. a nonce used by another transaction stays an error, without a lookup on the first upstream', async () => {
    const first = await upstream((_, response) => response.writeHead(502).end())
    const second = await upstream(overtaken(null))
    const call = { method: 'eth_sendRawTransaction', params: ['0x01'] }
    const refused = [{ error: { message: 'nonce too low: next nonce 5, tx nonce 4' } }]
    expect(await client().upstreams.exchange([first.url, second.url], [call])).toMatchObject(refused)
    expect(second.seen).toHaveLength(2)
    expect(await client().upstreams.exchange([second.url], [call])).toMatchObject(refused)
    expect(second.seen).toHaveLength(3)
  })

  const limit = { code: -32_005, message: 'limit exceeded' }
  const known = { code: -32_000, message: 'already known' }
  const send = { method: 'eth_sendRawTransaction', params: ['0x01'] }
  const logs = { method: 'eth_getLogs' }

  test('3. retries only the calls over the limit, so that an accepted transaction is not sent twice', async () => {
    const first = await upstream(
      answering(({ method }) => (method === logs.method ? { error: limit } : { result: '0xhash' })),
    )
    const second = await upstream(
      answering(({ method }) => (method === logs.method ? { result: [] } : { error: known })),
    )
    const answers = await client().upstreams.exchange([first.url, second.url], [send, logs])
    expect(answers).toEqual([{ result: '0xhash' }, { result: [] }])
    expect(second.seen).toEqual([expect.objectContaining(logs)])
  })

  test('3. keeps good results if the upstream for the retry fails', async () => {
    const first = await upstream(
      answering(({ method }) => (method === logs.method ? { error: limit } : { result: method })),
    )
    const second = await upstream((_, response) => response.writeHead(500).end())
    const answers = await client().upstreams.exchange([first.url, second.url], [logs, { method: 'a' }])
    expect(answers).toEqual([{ error: limit }, { result: 'a' }])
  })

  test('6. a transaction counts as sent if the upstream before was over its limit', async () => {
    const first = await upstream(answering(() => ({ error: limit })))
    const second = await upstream(answering(() => ({ error: known })))
    expect(await client().upstreams.exchange([first.url, second.url], [send])).toEqual([
      { result: '0x5fe7f977e71dba2ea1a68e21057beebb9be2ac30c6410aa38d4f3fbe41dcffd2' },
    ])
  })

  test('8. rejects params that nest too deeply, without blaming an upstream or failing other calls', async () => {
    const depth = 200_000
    const params: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth))
    const deep = { method: 'eth_call', params }
    const one = await upstream(echo)
    const { upstreams, failures } = client()
    const refused = { error: { code: -32_602, message: expect.any(String) } }
    expect(await upstreams.exchange([one.url], [deep])).toEqual([refused])
    expect(one.seen).toEqual([])
    expect(await upstreams.exchange([one.url], [deep, { method: 'a' }])).toEqual([refused, { result: 'a' }])
    expect(failures).toEqual([])
  })
})
