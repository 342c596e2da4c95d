/** Large results through the proxy, over real connections. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app'
import { callLimit } from '../../testing/call-limit'
import { noon } from '../../testing/clock'

const mebibyte = 1_048_576
const textOf = (bytes: number) => `"0x${'ab'.repeat(bytes / 2)}"`
const url = '/v1/?projectId=demo&chainId=eip155:1'

let answer: (response: ServerResponse) => void
let requests = 0
const node = createServer((request, response) => {
  requests += 1
  request.resume().on('end', () => answer(response))
})
let app: TestApp
beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const address = node.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  const upstream = `http://127.0.0.1:${address.port}/key`
  app = await startTestApp({
    networks: [{ id: 'eip155:1', upstreams: [upstream, `${upstream}/second`] }],
    ...callLimit({ perSecond: 0.001, burst: 1_000 }, () => noon),
    clientAddress: (context) => context.req.header('X-Caller') ?? '',
  })
})
afterAll(async () => {
  await app.close()
  node.closeAllConnections()
  await new Promise((resolve) => node.close(resolve))
})
beforeEach(() => {
  requests = 0
})

let callers = 0
const ask = (method = 'eth_getLogs', caller = `caller ${callers++}`) =>
  app.request(url, {
    method: 'POST',
    headers: { 'X-Caller': caller },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'mine', method, params: [] }),
  })

describe('a large result', () => {
  test.each([
    ['after its id', (result: string) => `{"jsonrpc":"2.0","id":1,"result":${result}}`],
    ['before its id', (result: string) => `{"jsonrpc":"2.0","result":${result},"id":1}\n`],
    ['before more', (result: string) => `{"error":null, "result" : ${result} ,"more":[{"result":2}],"id":1}`],
  ])('1. is passed on unchanged with the caller’s id, %s', async (_, wrap) => {
    const result = `[${textOf(mebibyte)},{"a":[${'"\\\\\\"}",'.repeat(20_000)}null]}]`
    answer = (response) => response.end(wrap(result))
    const text = await (await ask()).text()
    const expected = `{"jsonrpc":"2.0","id":"mine","result":${result}}`
    expect([text.length, createHash('sha256').update(text).digest('hex')]).toEqual([
      expected.length,
      createHash('sha256').update(expected).digest('hex'),
    ])
    expect(requests).toBe(1)
  })

  test('1. stays in its envelope if its brackets do not match', async () => {
    answer = (response) => response.end(`{"id":1,"result":[${textOf(mebibyte)}},"id":"mine","result":"forged"}`)
    const text = await (await ask()).text()
    expect(text).not.toContain('forged')
    expect(() => JSON.parse(text)).toThrow()
  })

  test.each([
    ['an error', () => `{"id":1,"error":{"code":3,"message":${textOf(mebibyte)}}}`],
    ['no object', () => `[${textOf(mebibyte)}]`],
    ['no result at the beginning', () => `{"id":1,"other":${textOf(mebibyte)},"result":1}`],
  ])('2. a large response with %s fails the attempt', async (_, text) => {
    answer = (response) => response.end(text())
    expect(await (await ask()).json()).toMatchObject({ error: { message: 'The network could not be reached' } })
    expect(requests).toBe(2)
  })

  test('3. is read from the upstream only as fast as the caller takes it', async () => {
    let written = 0
    let onStalled = () => {}
    const stalled = new Promise<void>((resolve) => {
      onStalled = resolve
    })
    answer = async (response) => {
      response.write('{"id":1,"result":["')
      for (; written < 9_000_000; written += 100_000) {
        if (response.write('a'.repeat(100_000))) continue
        // real time: a second in which the gateway takes no byte.
        const timer = setTimeout(onStalled, 1_000)
        await once(response, 'drain').catch(() => {})
        clearTimeout(timer)
      }
      response.end('"]}')
    }
    const response = await ask()
    const reader = response.body?.getReader()
    await reader?.read()
    await stalled
    expect(written).toBeLessThan(9_000_000)
    await reader?.cancel()
  })

  test('4. is paid for: a caller at its limit gets 429, or the rest is cut', async () => {
    answer = (response) => response.end(`{"id":1,"result":${textOf(9 * mebibyte)}}`)
    const caller = 'one with 1,000 calls'
    let cut = 0
    for (;;) {
      const response = await ask('eth_getLogs', caller)
      if (response.status === 429) {
        expect(response.headers.get('Retry-After')).not.toBeNull()
        break
      }
      await response.text().catch(() => {
        cut += 1
      })
    }
    // 9 MiB are 180 calls and one.
    expect(requests).toBeLessThan(9)
    expect(cut).toBeLessThan(2)
  })

  test('5. that breaks off is no result', async () => {
    answer = (response) => {
      response.write(`{"id":1,"result":[${textOf(mebibyte)},`, () => response.destroy())
    }
    await expect((await ask()).text()).rejects.toThrow()
  })

  test('5. above 10 MiB is cut, and refused at once if its length is announced', async () => {
    const text = `{"id":1,"result":${textOf(11 * mebibyte)}}`
    answer = (response) => {
      response.write(text)
      response.end()
    }
    await expect((await ask()).text()).rejects.toThrow()
    answer = (response) => response.writeHead(200, { 'Content-Length': text.length }).end(text)
    expect(await (await ask()).json()).toMatchObject({ id: 'mine', error: { code: -32_005 } })
  })
})

test('more than 64 kB is no answer to a method with a short result', async () => {
  answer = (response) => response.end(`{"id":1,"result":${textOf(mebibyte)}}`)
  expect(await (await ask('eth_chainId')).json()).toMatchObject({ error: { code: -32_005 } })
})

test('a batch with more values than can be parsed between two requests is refused', async () => {
  answer = (response) => response.end(`[{"id":1,"result":[${'[],'.repeat(200_000)}0]}]`)
  const body = JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [] }])
  const response = await app.request(url, { method: 'POST', headers: { 'X-Caller': 'batch' }, body })
  expect(await response.json()).toMatchObject([{ id: 1, error: { code: -32_005 } }])
})
