import { ErrorBody, Health, namespaces } from '@postern/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDirectory, directoryRoutes } from './site/directory'
import { operations } from './site/operations'
import { modalOrigin, startTestApp, type TestApp, walletOrigin } from './testing/app'

const wallets = [{ id: 'one', name: 'One', chains: ['eip155:1'], image_id: 'picture' }]
const icons = { wallets: new Map(), networks: new Map(), currencies: new Map(), tokens: new Map() }
const directory = createDirectory({ wallets, icons })

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    directory: {
      routes: directoryRoutes(directory),
      recommended: directory.recommended(namespaces),
      count: directory.count(namespaces),
      hasTokenImage: (symbol) => directory.tokenImage(symbol) !== undefined,
    },
  })
})
afterAll(() => app.close())

describe('host names', () => {
  test.each([
    ['the modal site', `${modalOrigin}/?projectId=demo`, 200],
    ['in capitals', 'https://MODAL.postern.example/?projectId=demo', 200],
    ['another', 'https://evil.test/?projectId=demo', 421],
    ['its address', 'http://127.0.0.1:4400/?projectId=demo', 421],
    ['another port', 'https://modal.postern.example:8443/?projectId=demo', 421],
    ['the API by another name', 'https://evil.test/getWallets?projectId=demo', 421],
    ['health by any name', 'http://10.0.0.7/health', 200],
    ['readiness by any name', 'http://10.0.0.7/ready', 200],
  ])('%s', async (_, url, status) => {
    expect((await app.get(url)).status).toBe(status)
  })
})

describe('health', () => {
  test('reports its version', async () => {
    expect(Health.parse(await (await app.get('/health')).json())).toEqual({ status: 'ok', version: '1.2.3' })
    expect(Health.parse(await (await app.get('/ready')).json())).toEqual({ status: 'ok', version: '1.2.3' })
  })

  test('/ready fails while the database is down, /health does not', async () => {
    const without = await startTestApp({
      database: { orm: app.database.orm, ping: () => Promise.reject(new Error('gone')) },
    })
    const ready = await without.get('/ready')
    expect(ready.status).toBe(503)
    expect(Health.parse(await ready.json()).status).toBe('unavailable')
    expect((await without.get('/health')).status).toBe(200)
    await without.close()
  })
})

describe('the directory', () => {
  test('is readable by allowed callers only', async () => {
    expect(await (await app.get('/getWallets?projectId=demo')).json()).toEqual({ data: wallets, count: 1 })
    expect((await app.get('/getWallets?projectId=demo', { Origin: 'https://evil.test' })).status).toBe(403)
  })

  test('is embedded in the modal page', async () => {
    expect(await (await app.get('/?projectId=demo')).text()).toContain('"wallets":[{"id":"one"')
  })

  test('serves its pictures to any caller (spec §7)', async () => {
    const response = await app.get('/getWalletImage/none', { 'Sec-Fetch-Site': 'cross-site' })
    expect(response.status).toBe(404)
    expect(ErrorBody.parse(await response.json()).reasons[0]?.name).toBe('id')
  })
})

describe('/licences.txt', () => {
  test('is the list of the site’s own build, as plain text', async () => {
    for (const [origin, text] of [
      [modalOrigin, 'react 19'],
      [walletOrigin, 'viem 2'],
    ]) {
      const response = await app.get(`${origin}/licences.txt`)
      expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
      expect(await response.text()).toBe(text)
    }
  })
})

describe('failures', () => {
  test('an unknown path returns a JSON 404 for every method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const response = await app.request('/nothing', { method })
      expect(response.status).toBe(404)
      expect(ErrorBody.parse(await response.json()).reasons).toEqual([
        { name: 'path', description: 'Nothing is served here' },
      ])
    }
  })

  test('an internal error reveals no details to the caller', async () => {
    const broken = await startTestApp({
      projects: { ...app.projects, find: () => Promise.reject(new Error('password in here')) },
    })
    const response = await broken.get('/getWallets?projectId=demo', { Origin: 'https://app.example.com' })
    expect(response.status).toBe(500)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example.com')
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(await response.text()).toBe(
      '{"status":"error","reasons":[{"name":"server","description":"Something went wrong"}]}',
    )
    expect(broken.log()).toContain('password in here')
    await broken.close()
  })
})

describe('logs', () => {
  test('log the route, request id, status and duration, but no path, query, origin or address', async () => {
    const response = await app.get('/getWalletImage/0x00000000219ab540356cBB839Cbe05303d7705Fa?token=hush', {
      Origin: 'https://app.example.com',
      'X-Forwarded-For': '198.51.100.7',
    })
    const id = response.headers.get('X-Request-Id') ?? ''
    const line =
      app
        .log()
        .split('\n')
        .find((text) => text.includes(id)) ?? ''
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      time: expect.any(String),
      piece: 'gateway',
      requestId: id,
      method: 'GET',
      route: '/getWalletImage/:id',
      status: 404,
      ms: expect.any(Number),
      msg: 'request',
    })
    for (const secret of ['0x0000', 'hush', '198.51.100.7', '203.0.113.9', 'app.example.com']) {
      expect(app.log()).not.toContain(secret)
    }
  })
})

/** Pages and their assets. */
const pages = [
  '/',
  '/sdk',
  '/window',
  '/assets/*',
  '/onramp/done',
  '/onramp.js',
  '/refusal.js',
  '/page.css',
  '/licences.txt',
  '/device.css',
  '/social.css',
  '/social.js',
  '/auth/device',
  '/auth/not-me',
  '/auth/social/opening',
  '/auth/social/start',
  '/auth/social/callback/:provider',
  '/auth/social/code',
  '/:name{postern(?:-[a-z0-9]+)*\\.js}',
  '/integrity.json',
  '/:release{postern@[0-9][0-9A-Za-z.-]*}/:name{postern(?:-[a-z0-9]+)*\\.js|integrity\\.json}',
]

describe('/openapi.json', () => {
  const concrete = (path: string) => path.replace(/:\w+/g, 'x')

  test('describes every operation with its parameters', async () => {
    const response = await app.get('/openapi.json')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(await response.json()).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.2.3' },
      servers: [{ url: modalOrigin }],
      paths: {
        '/getWallets': {
          get: {
            parameters: expect.arrayContaining([
              expect.objectContaining({ name: 'projectId', required: true }),
              expect.objectContaining({ name: 'search', required: false }),
            ]),
            responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
          },
        },
        '/v1/': { post: { requestBody: { required: true } } },
        '/wallet/recover': { post: { servers: [{ url: walletOrigin }], security: [{ session: [] }] } },
      },
    })
  })

  test.each(operations.map(({ method, path, caller, site }) => [method, path, caller, site] as const))(
    '%s %s is served, and enforces its declared caller',
    async (method, path, caller, site) => {
      const headers = { 'Content-Type': 'application/json' }
      const init = { method: method.toUpperCase(), ...(method === 'post' ? { headers, body: '{}' } : {}) }
      const url = `${site === 'wallet' ? walletOrigin : modalOrigin}${concrete(path)}`
      const anonymous = await app.request(url, init)
      if (caller === 'project') expect(anonymous.status).toBe(401)
      else expect((await anonymous.text()).includes('Nothing is served here')).toBe(false)
      const known = await app.request(`${url}?projectId=demo`, init)
      expect((await known.text()).includes('Nothing is served here')).toBe(false)
    },
  )

  test('lists every route of the API', () => {
    const served = app.routes.filter(({ path }) => !pages.includes(path)).map(({ method, path }) => `${method} ${path}`)
    const described = operations.map(({ method, path }) => {
      return `${method.toUpperCase()} ${path.replace(/(.)\/$/, '$1')}`
    })
    expect([...new Set(served)].sort()).toEqual([...described].sort())
  })
})

test.each(operations.filter(({ site }) => site === 'wallet').map(({ method, path }) => [method, path] as const))(
  'the modal site returns 404 for %s %s, a route of the wallet site',
  async (method, path) => {
    const response = await app.request(`${modalOrigin}${path}?projectId=demo`, { method: method.toUpperCase() })
    expect(response.status).toBe(404)
  },
)

test('the wallet site has no page at its root', async () => {
  const response = await app.get(`${walletOrigin}/`)
  expect(response.status).toBe(404)
})
