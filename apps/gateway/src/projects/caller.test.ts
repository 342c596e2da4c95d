import { ErrorBody } from '@postern/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modalOrigin, startTestApp, type TestApp, walletOrigin } from '../testing/app'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const api = '/projects/v1/origins'

describe('1. every call names a project', () => {
  test.each([
    ['none', api],
    ['an empty one', `${api}?projectId=`],
    ['an unknown one', `${api}?projectId=other`],
    ['one that is no id', `${api}?projectId=%00%27%20or%201=1`],
    ['the name of a prototype', `${api}?projectId=__proto__`],
  ])('%s is 401', async (_, url) => {
    const response = await app.get(url)
    expect(response.status).toBe(401)
    expect(ErrorBody.parse(await response.json())).toEqual({
      status: 'error',
      reasons: [{ name: 'projectId', description: 'Unauthorized: invalid key' }],
    })
  })

  test.each(['/appkit/v1/config', '/v1/supported-chains', '/getWallets', '/v1/identity/0x00'])(
    '%s without a project is 401',
    async (url) => {
      expect((await app.get(url)).status).toBe(401)
    },
  )
})

describe('2. and 3. a browser calls from an origin that the project allows', () => {
  const table: [string, number, string, Record<string, string>][] = [
    ['an allowed origin', 200, 'demo', { Origin: 'https://app.example.com', 'Sec-Fetch-Site': 'cross-site' }],
    ['one label under a wildcard', 200, 'demo', { Origin: 'https://pr-7.preview.example.com' }],
    ['two labels under a wildcard', 403, 'demo', { Origin: 'https://a.b.preview.example.com' }],
    ['the wildcard without its label', 403, 'demo', { Origin: 'https://preview.example.com' }],
    ['another scheme', 403, 'demo', { Origin: 'http://app.example.com' }],
    ['another port', 403, 'demo', { Origin: 'https://app.example.com:8443' }],
    ['a look-alike suffix', 403, 'demo', { Origin: 'https://app.example.com.evil.test' }],
    ['a look-alike prefix', 403, 'demo', { Origin: 'https://evil-app.example.com' }],
    ['an opaque origin', 403, 'demo', { Origin: 'null' }],
    ['something that is no origin', 403, 'demo', { Origin: 'app.example.com' }],
    ['a host of development', 200, 'demo', { Origin: 'http://localhost:3000' }],
    ['the same where they are kept out', 403, 'strict', { Origin: 'http://localhost:3000' }],
    ['a preview host', 200, 'demo', { Origin: 'https://my-app.vercel.app' }],
    ['the same where they are kept out', 403, 'strict', { Origin: 'https://my-app.vercel.app' }],
    ['the modal page, with an Origin', 200, 'strict', { Origin: modalOrigin, 'Sec-Fetch-Site': 'same-origin' }],
    ['the modal page, without', 200, 'strict', { 'Sec-Fetch-Site': 'same-origin' }],
    ['the wallet page, which has an API of its own', 403, 'strict', { Origin: walletOrigin }],
    ['an image or script of another site', 403, 'demo', { 'Sec-Fetch-Site': 'cross-site' }],
    ['an image or script of a sibling', 403, 'demo', { 'Sec-Fetch-Site': 'same-site' }],
    ['the address bar', 200, 'demo', { 'Sec-Fetch-Site': 'none' }],
    ['4. no browser at all', 200, 'demo', {}],
  ]
  test.each(table)('%s: %i', async (_, status, projectId, headers) => {
    const response = await app.get(`${api}?projectId=${projectId}`, headers)
    expect(response.status).toBe(status)
    if (status !== 403) return
    expect(await response.json()).toEqual({
      status: 'error',
      reasons: [{ name: 'origin', description: 'Unauthorized: origin not allowed' }],
    })
  })
})

describe('5. the calling page can read every response, without credentials', () => {
  test.each([
    ['a result', `${api}?projectId=demo`, 'https://app.example.com', 200],
    ['a refusal of its origin', `${api}?projectId=demo`, 'https://evil.test', 403],
    ['a refusal of its project', `${api}?projectId=other`, 'https://evil.test', 401],
    ['what is not there', '/v1/nothing?projectId=demo', 'https://app.example.com', 404],
  ])('%s', async (_, url, origin, status) => {
    const response = await app.get(url, { Origin: origin })
    expect(response.status).toBe(status)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(origin)
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    expect(response.headers.get('Vary')).toContain('Origin')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
  })

  test('a preflight always succeeds, so that the call itself can be refused', async () => {
    const response = await app.request('/v1/?projectId=demo&chainId=eip155:1', {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.test', 'Access-Control-Request-Method': 'POST' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('Access-Control-Allow-Methods')).toBe('GET, POST')
    expect(response.headers.get('Access-Control-Allow-Headers')).toBe('Content-Type')
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
  })
})

test('returns a project’s origins and the flags that it sets', async () => {
  const origins = await app.get('/projects/v1/origins?projectId=strict')
  expect(await origins.json()).toEqual({ allowedOrigins: ['https://app.example.com'] })
  const flags = await app.get('/appkit/v1/config?projectId=strict')
  expect(await flags.json()).toEqual({ features: [{ id: 'swaps', isEnabled: false, config: null }] })
})
