import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app'
import { readProjectKeys } from './keys'

const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
const networks = new Set(['eip155:1', 'eip155:10', bitcoin])

describe('readProjectKeys', () => {
  const read = (source: string | undefined) => {
    const problems: string[] = []
    return { keys: readProjectKeys(source, networks, problems), problems }
  }

  test('is empty without the setting', () => {
    expect(read(undefined)).toEqual({ keys: new Map(), problems: [] })
  })

  test('has the clients and upstreams of each project, with Apple’s key as PEM', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
    const google = { clientId: 'g', clientSecret: 's' }
    const { keys, problems } = read(
      JSON.stringify({
        shop: {
          social: { google, apple: { clientId: 'a', teamId: 't', keyId: 'k', privateKey: key } },
          upstreams: { 'eip155:1': ['https://node.example.com/key'] },
        },
        blog: {},
      }),
    )
    expect(problems).toEqual([])
    expect([...keys.keys()]).toEqual(['shop', 'blog'])
    expect(keys.get('shop')?.social.get('google')).toEqual(google)
    expect(keys.get('shop')?.social.get('apple')).toMatchObject({
      privateKey: expect.stringContaining('BEGIN PRIVATE'),
    })
    expect(keys.get('shop')?.upstreams.get('eip155:1')).toEqual(['https://node.example.com/key'])
  })

  test.each<[string, unknown, RegExp]>([
    ['a wrong project id', { 'a b': {} }, /must be 1 to 64 letters/],
    ['an unknown provider', { shop: { social: { hush: { clientId: 'a', clientSecret: 'hush' } } } }, /shop\.social/],
    ['a client without a secret', { shop: { social: { google: { clientId: 'hush' } } } }, /google\.clientSecret/],
    [
      'a wrong key of Apple',
      { shop: { social: { apple: { clientId: 'a', teamId: 't', keyId: 'k', privateKey: 'hush!' } } } },
      /apple\.privateKey: must be a PKCS #8 key/,
    ],
    ['an upstream that is no URL', { shop: { upstreams: { 'eip155:1': ['hush'] } } }, /must be an http or https URL/],
    [
      'an upstream with a password',
      { shop: { upstreams: { 'eip155:1': ['https://user:hush@node.example'] } } },
      /has user:password@/,
    ],
    ['a network without an upstream', { shop: { upstreams: { 'eip155:1': [] } } }, /must name an upstream/],
    [
      'a network that the gateway has not',
      { shop: { upstreams: { 'eip155:99': ['https://node.example/hush'] } } },
      /shop\.upstreams\.eip155:99 is no network of this gateway/,
    ],
    ['an unknown setting', { shop: { hush: true } }, /shop/],
  ])('says what is wrong with %s, without a key', (_, value, message) => {
    const { problems } = read(JSON.stringify(value))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(message)
    expect(problems[0]).toMatch(/^POSTERN_PROJECT_KEYS[.:]/)
    expect(problems[0]?.replace("'hush'", '')).not.toContain('hush')
  })

  test('says so of a text that is no JSON, and of a file that is not there', () => {
    expect(read('{"shop": hush').problems).toEqual([expect.stringMatching(/^POSTERN_PROJECT_KEYS(?!.*hush)/)])
    expect(read('/nowhere/keys.json').problems).toEqual([
      'POSTERN_PROJECT_KEYS must be JSON, or a file that can be read',
    ])
  })
})

describe('upstreams of a project’s own', () => {
  const seen: string[] = []
  let isDown = false
  const node = createServer(async (request, response) => {
    seen.push(request.url ?? '')
    let text = ''
    for await (const chunk of request) text += String(chunk)
    if (isDown && request.url?.startsWith('/own') === true) response.writeHead(503).end()
    else if (request.method === 'GET') response.end(request.url?.startsWith('/own') === true ? '{"1":2}' : '{"1":1}')
    else response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(text).id, result: '0x1' }))
  })
  let app: TestApp
  beforeAll(async () => {
    node.listen(0, '127.0.0.1')
    await once(node, 'listening')
    const address = node.address()
    if (address === null || typeof address === 'string') throw new Error('not listening on a port')
    const base = `http://127.0.0.1:${address.port}`
    app = await startTestApp({
      networks: (['eip155:1', 'eip155:10', bitcoin] as const).map((id) => ({ id, upstreams: [`${base}/common`] })),
      projectKeys: readProjectKeys(
        JSON.stringify({ strict: { upstreams: { 'eip155:1': [`${base}/own`], [bitcoin]: [`${base}/own`] } } }),
        networks,
        [],
      ),
    })
  })
  afterAll(async () => {
    await app.close()
    node.close()
  })
  beforeEach(() => {
    seen.length = 0
    isDown = false
  })
  const ask = (projectId: string, chainId = 'eip155:1') =>
    app.post(`/v1/?projectId=${projectId}&chainId=${chainId}`, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' })
  const fees = async (projectId: string) =>
    (await app.get(`/v1/esplora/${bitcoin}/fee-estimates?projectId=${projectId}`)).json()

  test('take the place of the gateway’s, for that project and network alone', async () => {
    await ask('strict')
    await ask('demo')
    await ask('strict', 'eip155:10')
    expect(seen).toEqual(['/own', '/common', '/common'])
  })

  test('do not fall back to the gateway’s, which the operator pays', async () => {
    isDown = true
    expect(await (await ask('strict')).json()).toMatchObject({ error: { code: expect.any(Number) } })
    expect(seen).toEqual(['/own'])
  })

  test('share no answer with the gateway’s', async () => {
    expect([await fees('demo'), await fees('strict'), await fees('demo')]).toEqual([{ 1: 1 }, { 1: 2 }, { 1: 1 }])
  })
})
