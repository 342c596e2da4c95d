import type { LookupAddress } from 'node:dns'
import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { isPublicAddress } from './public-address'
import { createPublicFetch, type PublicFetchOptions, publicFetchDefaults, type Wanted } from './public-fetch'

/** In ms; enough for a busy machine. */
const reached = 500
const json: Wanted = { type: /^application\/json$/, maxBytes: 1_000 }
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return address.port
}

/** The real fetch; only 127.0.0.1 with http counts as public. */
async function world(listener: RequestListener, { resolve, ...changes }: Partial<PublicFetchOptions> = {}) {
  const port = await serve(listener)
  const urls: string[] = []
  const here: LookupAddress = { address: '127.0.0.1', family: 4 }
  const fetchPublic = createPublicFetch({
    ...publicFetchDefaults,
    resolve: async (hostname) => {
      urls.push(hostname)
      return resolve === undefined ? [here] : resolve(hostname)
    },
    isPublic: (address) => address === here.address || isPublicAddress(address),
    request: (url, options) => httpRequest({ ...options, hostname: url.hostname, port, path: url.pathname }),
    trusted: null,
    ...changes,
  })
  return { fetchPublic, urls, port }
}

const answerWith = (
  body: string,
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json; charset=utf-8' },
) => ((_request, response) => void response.writeHead(200, headers).end(body)) satisfies RequestListener

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

describe('rejects', () => {
  const unreachable: RequestListener = (_request, response) => {
    throw new Error(`was asked ${response.statusCode}`)
  }
  test.each([
    ['1 another scheme', 'http://example.com/'],
    ['1 another scheme', 'ftp://example.com/'],
    ['1 a file', 'file:///etc/passwd'],
    ['1 another port', 'https://example.com:8443/'],
    ['1 another service’s port', 'https://example.com:22/'],
    ['1 a user with a password', 'https://user:secret@example.com/'],
    ['1 what is no URL', 'example.com'],
    ['2 loopback', 'https://127.0.0.1/'],
    ['2 loopback in one number', 'https://2130706433/'],
    ['2 loopback in hexadecimal', 'https://0x7f000001/'],
    ['2 loopback in octal', 'https://0177.0.0.1/'],
    ['2 loopback, short', 'https://127.1/'],
    ['2 loopback of IPv6', 'https://[::1]/'],
    ['2 loopback, mapped', 'https://[::ffff:127.0.0.1]/'],
    ['2 a cloud’s metadata', 'https://169.254.169.254/latest/meta-data/'],
    ['2 a cloud’s metadata, mapped', 'https://[::ffff:a9fe:a9fe]/'],
    ['2 a private network', 'https://10.0.0.1/'],
    ['2 a unique local address', 'https://[fd00::1]/'],
    ['2 this host', 'https://0.0.0.0/'],
  ])('%s: %s', async (_, url) => {
    const { fetchPublic } = await world(unreachable, { isPublic: isPublicAddress })
    await expect(fetchPublic(url, json)).rejects.toThrow(/^(?:no URL|not an https URL|not a public address)$/)
  })

  test.each([
    [['10.0.0.1']],
    [['127.0.0.1']],
    [['169.254.169.254']],
    [['::1']],
    [['fe80::1']],
    [['::ffff:10.0.0.1']],
    [['93.184.216.34', '10.0.0.1']],
    [['10.0.0.1', '93.184.216.34']],
    [['93.184.216.34', '::ffff:127.0.0.1']],
    [[]],
  ])('2 a name that resolves to %j', async (addresses) => {
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const { fetchPublic } = await world(unreachable, { isPublic: isPublicAddress, resolve })
    await expect(fetchPublic('https://example.com/', json)).rejects.toThrow('not a public address')
  })
})

describe('a public server', () => {
  test('gets no information about the caller', async () => {
    let headers: unknown
    const { fetchPublic } = await world((request, response) => {
      headers = request.headers
      answerWith('{}')(request, response)
    })
    expect(text(await fetchPublic('https://example.com/1', json))).toBe('{}')
    expect(Object.keys(headers ?? {}).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host'])
  })

  test('2 is contacted at the address that was checked, even if the name then resolves elsewhere', async () => {
    const answers = ['127.0.0.1', '10.0.0.1', '169.254.169.254']
    const { fetchPublic, urls } = await world(answerWith('{}'), {
      resolve: async () => [{ address: answers.shift() ?? '10.0.0.1', family: 4 }],
    })
    expect(text(await fetchPublic('https://rebinding.example/', json))).toBe('{}')
    expect(urls).toEqual(['rebinding.example'])
    await expect(fetchPublic('https://rebinding.example/', json)).rejects.toThrow('not a public address')
  })

  test('3 may redirect to public servers, three times', async () => {
    const lead: RequestListener = (request, response) => {
      const step = Number(request.url?.slice(1))
      if (step === 0) return answerWith('{}')(request, response)
      return response.writeHead(302, { Location: `https://other.example/${step - 1}` }).end()
    }
    const { fetchPublic, urls } = await world(lead)
    expect(text(await fetchPublic('https://example.com/3', json))).toBe('{}')
    expect(urls).toEqual(['example.com', 'other.example', 'other.example', 'other.example'])
    await expect(fetchPublic('https://example.com/4', json)).rejects.toThrow('too many redirects')
  })

  test.each([
    ['http://example.com/'],
    ['https://127.0.0.2/'],
    ['https://169.254.169.254/latest/meta-data/'],
    ['https://[::1]/'],
    ['https://private.example/'],
    ['//10.0.0.1/'],
    ['file:///etc/passwd'],
    ['https://example.com:22/'],
    ['http://'],
  ])('3 cannot redirect to %s', async (location) => {
    let count = 0
    const { fetchPublic } = await world(
      (_request, response) => {
        count += 1
        response.writeHead(307, { Location: location }).end()
      },
      { resolve: async (name) => [{ address: name === 'private.example' ? '10.0.0.1' : '127.0.0.1', family: 4 }] },
    )
    await expect(fetchPublic('https://example.com/', json)).rejects.toThrow(
      /^(?:not an https URL|not a public address|a redirect to nowhere)$/,
    )
    expect(count).toBe(1)
  })

  test('3 must name a redirect target', async () => {
    const { fetchPublic } = await world((_request, response) => void response.writeHead(301).end())
    await expect(fetchPublic('https://example.com/', json)).rejects.toThrow('a redirect to nowhere')
  })

  test('4 is cut off at the size limit, whatever it declares', async () => {
    const honest = await world(answerWith('x'.repeat(1_001)))
    await expect(honest.fetchPublic('https://example.com/', json)).rejects.toThrow('too large')
    const endless = await world((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const more = () => {
        while (response.write('x'.repeat(400)));
      }
      response.on('drain', more)
      more()
    })
    await expect(endless.fetchPublic('https://example.com/', json)).rejects.toThrow('too large')
  })

  test('4 is abandoned at the deadline: when silent, slow, or in the DNS lookup', async () => {
    const timeout = 80
    const silent = await world(() => {}, { timeout })
    await expect(silent.fetchPublic('https://example.com/', json)).rejects.toThrow('timeout')
    const dripping = await world(
      (_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' })
        // real time: a server that is slow without end.
        const drops = setInterval(() => response.write(' '), 5)
        response.on('close', () => clearInterval(drops))
      },
      { timeout },
    )
    await expect(dripping.fetchPublic('https://example.com/', json)).rejects.toThrow('timeout')
    const lost = await world(() => {}, { timeout, resolve: () => new Promise(() => {}) })
    await expect(lost.fetchPublic('https://example.com/', json)).rejects.toThrow('timeout')
  })

  test.each<[string, RequestListener, RegExp]>([
    ['5 of another type', answerWith('<html>', { 'Content-Type': 'text/html' }), /another type/],
    ['5 of no type', answerWith('{}', {}), /another type/],
    ['4 packed', answerWith('x', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }), /packed/],
    ['not found', (_request, response) => void response.writeHead(404).end(), /another status/],
    ['partial', (_request, response) => void response.writeHead(206).end(), /another status/],
    ['cut off', (request) => void request.socket.destroy(), /no connection/],
  ])('is not taken %s', async (_, listener, reason) => {
    const { fetchPublic } = await world(listener)
    await expect(fetchPublic('https://example.com/', json)).rejects.toThrow(reason)
  })

  test('6 may be the operator’s own at any address, but cannot redirect elsewhere', async () => {
    const own = await world(
      (request, response) => {
        if (request.url === '/ipfs/away') response.writeHead(302, { Location: 'https://10.0.0.1/' }).end()
        else answerWith('{}')(request, response)
      },
      { trusted: 'http://127.0.0.1:8080/ipfs/', isPublic: isPublicAddress },
    )
    expect(text(await own.fetchPublic('http://127.0.0.1:8080/ipfs/x', json))).toBe('{}')
    await expect(own.fetchPublic('http://127.0.0.1:8080/ipfs/away', json)).rejects.toThrow('not a public address')
    await expect(own.fetchPublic('http://127.0.0.1:8081/', json)).rejects.toThrow('not an https URL')
  })

  test.each([
    'http://127.0.0.1:8080/api/v0/config',
    'http://127.0.0.1:8080/ipfs/../api/v0/config',
    'http://127.0.0.1:8080/ipfs/%2e%2e/api/v0/config',
    'http://127.0.0.1:8080/ipfs',
    'http://user@127.0.0.1:8080/ipfs/x',
    'http://127.0.0.1:80801/ipfs/x',
  ])('6 is not trusted outside the operator’s path, also by redirect: %s', async (elsewhere) => {
    const { fetchPublic } = await world(
      (request, response) => {
        if (request.url === '/to') response.writeHead(302, { Location: elsewhere }).end()
        else answerWith('{}')(request, response)
      },
      { trusted: 'http://127.0.0.1:8080/ipfs/', isPublic: () => true },
    )
    await expect(fetchPublic(elsewhere, json)).rejects.toThrow(/^(?:no URL|not an https URL)$/)
    await expect(fetchPublic('https://example.com/to', json)).rejects.toThrow(
      /^(?:a redirect to nowhere|not an https URL)$/,
    )
  })

  test('8 gets the body as JSON, and no information about the caller', async () => {
    let received: unknown
    const { fetchPublic } = await world(async (request, response) => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      received = { method: request.method, body, type: request.headers['content-type'], path: request.url }
      expect(Object.keys(request.headers).sort()).toEqual(
        ['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host'].sort(),
      )
      answerWith('{}')(request, response)
    })
    expect(text(await fetchPublic('https://example.com/1', json, '{"data":"ä"}'))).toBe('{}')
    expect(received).toEqual({ method: 'POST', body: '{"data":"ä"}', type: 'application/json', path: '/1' })
  })

  test.each([301, 302, 303])('8 never gets the body through a %i', async (status) => {
    const { fetchPublic } = await world((_request, response) => {
      response.writeHead(status, { Location: 'https://other.example/' }).end()
    })
    await expect(fetchPublic('https://example.com/', json, '{}')).rejects.toThrow('a redirect to nowhere')
  })

  test.each([307, 308])('8 gets the body through a %i, if it is public', async (status) => {
    const methods: (string | undefined)[] = []
    const { fetchPublic } = await world((request, response) => {
      methods.push(request.method)
      if (request.url === '/there') return answerWith('{}')(request, response)
      const location = request.url === '/inside' ? 'https://10.0.0.1/' : 'https://other.example/there'
      return response.writeHead(status, { Location: location }).end()
    })
    expect(text(await fetchPublic('https://example.com/', json, '{}'))).toBe('{}')
    expect(methods).toEqual(['POST', 'POST'])
    await expect(fetchPublic('https://example.com/inside', json, '{}')).rejects.toThrow('not a public address')
  })

  test('another status is part of the error', async () => {
    const { fetchPublic } = await world((_request, response) => void response.writeHead(404).end())
    await expect(fetchPublic('https://example.com/', json)).rejects.toMatchObject({ status: 404 })
  })

  test('7 limits concurrent and waiting requests', async () => {
    let open = 0
    let max = 0
    const waiting: (() => void)[] = []
    const { fetchPublic } = await world(
      (request, response) => {
        open += 1
        max = Math.max(max, open)
        waiting.push(() => {
          open -= 1
          answerWith('{}')(request, response)
        })
        if (waiting.length === 2) for (const answer of waiting.splice(0)) answer()
      },
      { atOnce: 2, waiting: 2 },
    )
    const asking = Array.from({ length: 4 }, () => fetchPublic('https://example.com/', json))
    await expect(fetchPublic('https://example.com/', json)).rejects.toThrow('too many')
    await Promise.all(asking)
    expect(max).toBe(2)
    // A failure frees the slot.
    await expect(fetchPublic('nonsense', json)).rejects.toThrow('no URL')
    await Promise.all([fetchPublic('https://example.com/', json), fetchPublic('https://example.com/', json)])
  })

  test('4 the deadline includes the wait for a slot', async () => {
    const urls: (string | undefined)[] = []
    const { fetchPublic } = await world((request) => void urls.push(request.url), { atOnce: 1 })
    const [first, second] = [new AbortController(), new AbortController()]
    const deadlines = vi.spyOn(AbortSignal, 'timeout')
    onTestFinished(() => deadlines.mockRestore())
    for (const { signal } of [first, second]) deadlines.mockReturnValueOnce(signal)
    const [asking, waiting] = ['https://one.example/1', 'https://two.example/2'].map((url) => fetchPublic(url, json))
    await expect.poll(() => urls).toEqual(['/1'])
    second.abort()
    await expect(waiting).rejects.toThrow('timeout')
    first.abort()
    await expect(asking).rejects.toThrow('timeout')
    await new Promise((resolve) => setImmediate(resolve))
    expect(urls).toEqual(['/1'])
  })

  test('4 can be aborted while waiting or running, which frees its slot at once', async () => {
    const urls: (string | undefined)[] = []
    const { fetchPublic } = await world(
      (request, response) => {
        urls.push(request.url)
        if (request.url === '/3') answerWith('{}')(request, response)
      },
      { atOnce: 1 },
    )
    const off = new AbortController()
    const calledOff = ['https://one.example/1', 'https://two.example/2'].map((url) =>
      fetchPublic(url, json, undefined, off.signal),
    )
    const results = Promise.allSettled(calledOff)
    await expect.poll(() => urls).toEqual(['/1'])
    off.abort()
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(fetchPublic('https://one.example/4', json, undefined, off.signal)).rejects.toThrow('timeout')
    // An abort does not mark the host silent.
    expect(text(await fetchPublic('https://one.example/3', json))).toBe('{}')
    expect(urls).toEqual(['/1', '/3'])
  })

  test('7 a site with slow servers under many names does not block others', async () => {
    const { fetchPublic } = await world(
      (request, response) => {
        if (request.url === '/honest') answerWith('{}')(request, response)
      },
      { atOnce: 4, perSite: 2, waitingPerSite: 3 },
    )
    const off = new AbortController()
    const slow = Array.from({ length: 5 }, (_, name) =>
      fetchPublic(`https://${name}.slow.example/`, json, undefined, off.signal),
    )
    const all = Promise.allSettled(slow)
    await expect(fetchPublic('https://6.slow.example/', json)).rejects.toThrow('too many')
    expect(text(await fetchPublic('https://honest.test/honest', json))).toBe('{}')
    off.abort()
    expect((await all).every(({ status }) => status === 'rejected')).toBe(true)
  })

  test('7 the operator’s server is reachable while untrusted servers fill every slot', async () => {
    const { fetchPublic } = await world(
      (request, response) => {
        if (request.url === '/ipfs/x') answerWith('{}')(request, response)
      },
      { atOnce: 2, waiting: 1, trusted: 'http://127.0.0.1:8080/ipfs/' },
    )
    const off = new AbortController()
    const slow = [1, 2, 3].map((one) => fetchPublic(`https://slow${one}.test/`, json, undefined, off.signal))
    const all = Promise.allSettled(slow)
    expect(text(await fetchPublic('http://127.0.0.1:8080/ipfs/x', json))).toBe('{}')
    off.abort()
    await all
  })

  test('7 a silent host is skipped for 5 s, a slow one is not', async () => {
    let now = 0
    const urls: (string | undefined)[] = []
    const { fetchPublic } = await world(
      (request, response) => {
        urls.push(request.url)
        if (request.url === '/head') response.writeHead(200, { 'Content-Type': 'application/json' }).write(' ')
        if (request.url === '/silent') now += reached
      },
      { timeout: reached, now: () => now },
    )
    await expect(fetchPublic('https://example.com/silent', json)).rejects.toThrow('timeout')
    await expect(fetchPublic('https://example.com/again', json)).rejects.toThrow('silent a moment ago')
    now += 5_001
    await expect(fetchPublic('https://example.com/head', json)).rejects.toThrow('timeout')
    await expect(fetchPublic('https://example.com/head', json)).rejects.toThrow('timeout')
    expect(urls).toEqual(['/silent', '/head', '/head'])
  })
})
