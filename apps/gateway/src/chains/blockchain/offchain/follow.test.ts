import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http'
import { decodeAbiParameters, encodeFunctionData, type Hex, parseAbiParameters } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { RpcAnswer } from '../../../platform/upstreams/rpc'
import { noon } from '../../../testing/clock'
import { HexText } from '../chain'
import { isPublicAddress } from '../remote/public-address'
import { createPublicFetch, publicFetchDefaults, RemoteError } from '../remote/public-fetch'
import { createFollow, OffchainError } from './follow'
import { abi, contract, lookupOf } from './testing/lookups'

const other: Hex = '0x000000000000000000000000000000000000dEaD'
const question = '0x11111111'
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** Only `public.example` resolves to the test server, all other names to a private address. */
async function world(listener: RequestListener, { patience = 20_000, timeout = 10_000 } = {}) {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  const { port } = address
  const log: unknown[] = []
  const fetchPublic = createPublicFetch({
    ...publicFetchDefaults,
    resolve: async (name) => [{ address: name === 'public.example' ? '127.0.0.1' : '10.0.0.1', family: 4 }],
    isPublic: (one) => one === '127.0.0.1' || isPublicAddress(one),
    request: (url, options) => httpRequest({ ...options, hostname: url.hostname, port, path: url.pathname }),
    trusted: null,
    timeout,
  })
  const follow = createFollow({
    fetchPublic: (url, ...rest) => {
      if (URL.canParse(url) && new URL(url).hostname === '127.0.0.1') throw new Error('went to loopback')
      return fetchPublic(url, ...rest)
    },
    log: { warn: (...line: unknown[]) => void log.push(line) },
    now: () => noon,
    patience,
  })
  return { follow, log }
}

const url = 'https://public.example/{sender}/{data}.json'
const reverted = (urls: readonly string[], data: Hex = '0xabcd', sender: Hex = contract): RpcAnswer => ({
  error: {
    code: 3,
    message: 'execution reverted',
    data: lookupOf(urls, { data, sender }),
  },
})
const batchOf = (...queries: (readonly [urls: readonly string[], data: Hex])[]): Hex =>
  encodeFunctionData({
    abi,
    functionName: 'query',
    args: [queries.map(([urls, data]) => ({ sender: other, urls, data }))],
  })
/** Reverts with the lookup `first`, and returns what its callback receives. */
function contractOf(first: RpcAnswer) {
  const calls: Hex[] = []
  const ask = async (data: Hex): Promise<RpcAnswer> => {
    calls.push(data)
    if (data === question) return first
    const [answer = '0x'] = decodeAbiParameters(parseAbiParameters('bytes, bytes'), `0x${data.slice(10)}`)
    return { result: answer }
  }
  return { ask, calls }
}
const answerWith =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(body)

const read = (answer: RpcAnswer) =>
  decodeAbiParameters(parseAbiParameters('bool[], bytes[]'), HexText.parse('result' in answer ? answer.result : null))

describe('a lookup', () => {
  test('2 sends sender and data to the server, and its response to the callback', async () => {
    const requests: (string | undefined)[] = []
    const { follow } = await world((request, response) => {
      requests.push(`${request.method} ${request.url}`)
      answerWith('{"data":"0x5678","message":"hello"}')(request, response)
    })
    const { ask, calls } = contractOf(reverted([url]))
    expect(await follow(contract, question, ask)).toEqual({ result: '0x5678' })
    expect(requests).toEqual([`GET /${contract.toLowerCase()}/0xabcd.json`])
    expect(calls[1]?.slice(0, 10)).toBe('0xcafebabe')
    expect(decodeAbiParameters(parseAbiParameters('bytes, bytes'), `0x${calls[1]?.slice(10)}`)[1]).toBe('0xfeed')
  })

  test('is a POST if the URL does not contain the data', async () => {
    const bodies: unknown[] = []
    const { follow } = await world(async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      bodies.push([request.method, JSON.parse(body)])
      answerWith('{"data":"0x5678"}')(request, response)
    })
    const { ask } = contractOf(reverted(['https://public.example/{sender}']))
    expect(await follow(contract, question, ask)).toEqual({ result: '0x5678' })
    expect(bodies).toEqual([['POST', { data: '0xabcd', sender: contract.toLowerCase() }]])
  })

  test('is not made if the contract returns, or reverts with another error', async () => {
    const { follow } = await world(answerWith('{}'))
    for (const answer of [{ result: '0x12' }, { error: { code: 3, message: 'no', data: '0x08c379a0' } }] as const)
      expect(await follow(contract, question, async () => answer)).toEqual(answer)
  })

  test('is found in nested error data', async () => {
    const { follow } = await world(answerWith('{"data":"0x5678"}'))
    const first = reverted([url])
    const data = 'error' in first ? first.error.data : null
    const { ask } = contractOf({ error: { code: -32_000, message: 'reverted', data: { data } } })
    expect(await follow(contract, question, ask)).toEqual({ result: '0x5678' })
  })

  test('ends with the contract’s revert if the server has no record', async () => {
    let count = 0
    const { follow, log } = await world((request, response) => {
      count += 1
      answerWith('{"message":"not found"}', 404)(request, response)
    })
    const { ask, calls } = contractOf(reverted([url, `${url}?2`]))
    expect(await follow(contract, question, ask)).toMatchObject({ error: { code: 3 } })
    expect([count, calls.length, log]).toEqual([1, 1, []])
  })

  test.each([500, 503, 204])('tries the next server after status %i', async (status) => {
    let count = 0
    const { follow } = await world((request, response) => {
      count += 1
      answerWith('{"data":"0x5678"}', count === 1 ? status : 200)(request, response)
    })
    expect(await follow(contract, question, contractOf(reverted([url, url])).ask)).toEqual({ result: '0x5678' })
  })

  test.each(['<html>', '{}', '{"data":"abcd"}', '{"data":"0xabc"}', '{"data":["0xab"]}', 'null'])(
    'fails if the server returns %j',
    async (body) => {
      const { follow } = await world(answerWith(body))
      const { ask, calls } = contractOf(reverted([url]))
      await expect(follow(contract, question, ask)).rejects.toThrow(OffchainError)
      expect(calls).toHaveLength(1)
    },
  )

  test.each([400, 404, 410, 422])('ends with the contract’s revert if the server returns %i', async (status) => {
    const { follow } = await world(answerWith('{}', status))
    const { ask } = contractOf(reverted([url, url]))
    expect(await follow(contract, question, ask)).toMatchObject({ error: { code: 3 } })
  })

  test.each([401, 403, 408, 425, 429, 451])(
    'fails without trying another server if the server returns %i',
    async (status) => {
      let count = 0
      const { follow } = await world((request, response) => {
        count += 1
        answerWith('{}', status)(request, response)
      })
      await expect(follow(contract, question, contractOf(reverted([url, url])).ask)).rejects.toThrow(OffchainError)
      expect(count).toBe(1)
    },
  )
})

describe('an attacker’s', () => {
  const never: RequestListener = () => {
    throw new Error('was asked')
  }

  test.each([
    ['a private address', 'https://10.0.0.1/{data}'],
    ['a private address by its name', 'https://inside.example/{data}'],
    ['a cloud’s metadata', 'https://169.254.169.254/latest/{data}'],
    ['loopback of IPv6', 'https://[::1]/{data}'],
    ['this machine by its name', 'https://localhost/{data}'],
    ['a file', 'file:///etc/passwd?{data}'],
    ['http', 'http://public.example/{data}'],
    ['another port', 'https://public.example:8545/{data}'],
    ['a password', 'https://user:secret@public.example/{data}'],
    ['data', 'data:application/json,{"data":"0x12"}{data}'],
    ['nothing', ''],
    ['a host that is what it asks', 'https://{data}/'],
  ])('URL with %s is not fetched', async (_, attack) => {
    const { follow, log } = await world(never)
    const { ask, calls } = contractOf(reverted([attack]))
    await expect(follow(contract, question, ask)).rejects.toThrow(OffchainError)
    expect(calls).toHaveLength(1)
    expect(JSON.stringify(log)).not.toMatch(/example|10\.0|passwd|abcd/)
  })

  test('redirect cannot reach a private address', async () => {
    let count = 0
    const { follow } = await world((_request, response) => {
      count += 1
      response.writeHead(302, { Location: 'https://inside.example/' }).end()
    })
    await expect(follow(contract, question, contractOf(reverted([url])).ask)).rejects.toThrow(OffchainError)
    expect(count).toBe(1)
  })

  test('endless response is cut off', async () => {
    const { follow, log } = await world((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const more = () => {
        while (response.write('0'.repeat(10_000)));
      }
      response.on('drain', more)
      more()
    })
    await expect(follow(contract, question, contractOf(reverted([url])).ask)).rejects.toThrow(OffchainError)
    expect(JSON.stringify(log)).toContain('too large')
  })

  test('silent servers are abandoned at the deadline', async () => {
    const { follow, log } = await world(() => {}, { patience: 100 })
    const { ask } = contractOf(reverted([url, url, url, url]))
    await expect(follow(contract, question, ask)).rejects.toThrow(OffchainError)
    expect(JSON.stringify(log)).toContain('timeout')
  })

  test('5 requests are aborted at the deadline, and none follow', async () => {
    const urls: string[] = []
    const signals: (AbortSignal | undefined)[] = []
    const follow = createFollow({
      fetchPublic: (address, _wanted, _sent, signal) => {
        urls.push(address)
        signals.push(signal)
        return new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new RemoteError('timeout'))),
        )
      },
      log: { warn() {} },
      now: () => 0,
      patience: 50,
    })
    const queries = batchOf([[url, url], '0x01'], [[url, url], '0x02'])
    await expect(
      follow(contract, question, contractOf(reverted(['x-batch-gateway:true'], queries)).ask),
    ).rejects.toThrow(OffchainError)
    await new Promise((resolve) => setImmediate(resolve))
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true])
    expect(urls).toHaveLength(2)
  })

  test('1 contract cannot look up for another contract', async () => {
    const { follow } = await world(never)
    const answer = reverted([url], '0xabcd', other)
    const { ask, calls } = contractOf(answer)
    expect(await follow(contract, question, ask)).toEqual(answer)
    expect(calls).toHaveLength(1)
  })

  test('3 lookups end after four, with responses or with empty batches', async () => {
    const { follow } = await world(answerWith('{"data":"0x5678"}'))
    for (const answer of [reverted([url]), reverted(['x-batch-gateway:true'], batchOf())]) {
      let count = 0
      const endless = async () => {
        count += 1
        return answer
      }
      expect(await follow(contract, question, endless)).toEqual(answer)
      expect(count).toBe(5)
    }
  })

  test('5 lookups send at most six requests', async () => {
    let count = 0
    const { follow } = await world((request, response) => {
      count += 1
      answerWith('{}', 500)(request, response)
    })
    const queries = Array.from({ length: 8 }, () => [[url, url, url, url], '0xab'] as const)
    const { ask } = contractOf(reverted(['x-batch-gateway:true'], batchOf(...queries)))
    await follow(contract, question, ask)
    expect(count).toBe(6)
  })

  test('5 nested batches send eight queries in total', async () => {
    const urls: string[] = []
    const { follow } = await world(answerWith('{}', 500))
    // No URL is fetched, so no request ends the test early.
    const long = `https://public.example/${'{data}'.repeat(21)}`
    const leaves = batchOf(...Array.from({ length: 8 }, () => [[long], `0x${'ab'.repeat(400)}`] as const))
    const nested = batchOf(...Array.from({ length: 4 }, () => [['x-batch-gateway:true'], leaves] as const))
    const { ask } = contractOf(reverted(['x-batch-gateway:true'], nested))
    const answer = await follow(contract, question, async (data) => {
      urls.push(data)
      return ask(data)
    })
    const [failures] = read(answer)
    // Only the first batch was read.
    expect(failures).toEqual([false, true, true, true])
    expect(urls).toHaveLength(2)
  })

  test('5 short URL that expands to megabytes is measured, not built', async () => {
    const { follow } = await world(never)
    const bomb = `https://public.example/${'{data}'.repeat(330)}`
    const data: Hex = `0x${'ab'.repeat(28_000)}`
    const sizes: number[] = []
    const spies = (['replace', 'replaceAll'] as const).map((name) => {
      const original = Reflect.get(String.prototype, name)
      return vi.spyOn(String.prototype, name).mockImplementation(function watched(this: string, ...args: unknown[]) {
        const text: string = Reflect.apply(original, this, args)
        sizes.push(text.length)
        return text
      })
    })
    const inner = batchOf([[bomb, bomb, bomb, bomb], data])
    const { ask } = contractOf(reverted(['x-batch-gateway:true'], batchOf([['x-batch-gateway:true'], inner])))
    await follow(contract, question, ask)
    for (const spy of spies) spy.mockRestore()
    expect(Math.max(...sizes)).toBeLessThan(100_000)
  })

  test('megabytes of URLs are not a lookup', async () => {
    const { follow } = await world(never)
    const answer = reverted(Array.from({ length: 300 }, () => `https://public.example/${'x'.repeat(10_000)}`))
    expect(await follow(contract, question, contractOf(answer).ask)).toEqual(answer)
  })
})

describe('a batch', () => {
  test('4 queries its servers in the name of each sender', async () => {
    const requests: (string | undefined)[] = []
    const { follow } = await world((request, response) => {
      requests.push(request.url)
      if (request.url?.includes('0x02')) answerWith('{}', 404)(request, response)
      else answerWith('{"data":"0x99"}')(request, response)
    })
    const { ask } = contractOf(reverted(['x-batch-gateway:true'], batchOf([[url], '0x01'], [[url], '0x02'])))
    const [failures, responses] = read(await follow(contract, question, ask))
    expect(failures).toEqual([false, true])
    expect(responses[0]).toBe('0x99')
    expect(requests.sort()).toEqual([`/${other.toLowerCase()}/0x01.json`, `/${other.toLowerCase()}/0x02.json`])
  })

  test('4 may contain batches, nested at most twice', async () => {
    const { follow } = await world(answerWith('{"data":"0x99"}'))
    const nested = (depth: number): Hex =>
      depth === 0 ? batchOf([[url], '0x01']) : batchOf([['x-batch-gateway:true'], nested(depth - 1)])
    const answerOf = async (depth: number) =>
      read(await follow(contract, question, contractOf(reverted(['x-batch-gateway:true'], nested(depth))).ask))
    expect((await answerOf(1))[0]).toEqual([false])
    expect((await answerOf(8))[1].join()).not.toContain('99')
  })

  test('5 with an oversized total response never reaches a contract, also when nested', async () => {
    const { follow } = await world(answerWith(`{"data":"0x${'99'.repeat(100_000)}"}`))
    const one = [[url], '0x01'] as const
    for (const [count, times] of [
      [2, 2],
      [3, 1],
    ] as const) {
      const inner = batchOf(...Array.from({ length: count }, () => one))
      for (const data of [inner, batchOf([['x-batch-gateway:true'], inner])]) {
        const { ask, calls } = contractOf(reverted(['x-batch-gateway:true'], data))
        const answer = await follow(contract, question, ask)
        expect(calls.every((each) => each.length <= 2 + 2 * 262_144)).toBe(true)
        if (data === inner) expect(calls).toHaveLength(times)
        // A nested batch is refused.
        else expect('result' in answer && read(answer)[0]).toEqual([times === 1])
      }
    }
  })

  test('6 with a failed server is an error if the contract needs its response', async () => {
    const { follow } = await world(answerWith('{}', 500))
    const batch = reverted(['x-batch-gateway:true'], batchOf([[url], '0x01']))
    const refusing = async (data: Hex): Promise<RpcAnswer> =>
      data === question ? batch : { error: { code: 3, message: 'reverted', data: '0x' } }
    await expect(follow(contract, question, refusing)).rejects.toThrow(OffchainError)
    expect(await follow(contract, question, contractOf(batch).ask)).toHaveProperty('result')
  })
})
