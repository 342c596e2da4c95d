import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { Problem, problemResponse } from '../../platform/http/problem'
import { type Icon, readIcon } from '../../platform/images/icon'
import { createDirectory } from './directory'
import { directoryRoutes } from './routes'

const svg = icon('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1v1"/></svg>')
const png = icon(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]))

const app = new Hono()
app.route(
  '/',
  directoryRoutes(
    createDirectory({
      wallets: [
        { id: 'io.one', name: 'One', order: 1, chains: ['eip155:1'], image_id: 'one' },
        { id: 'io.two', name: 'Two', order: 2, chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'], image_id: 'two' },
      ],
      icons: {
        wallets: new Map([
          ['one', svg],
          ['two', png],
        ]),
        networks: new Map([['eip155:1', svg]]),
        currencies: new Map([['EUR', svg]]),
        tokens: new Map([['USDC', svg]]),
      },
    }),
  ),
)
app.onError((error, context) => {
  if (error instanceof Problem) return problemResponse(context, error)
  throw error
})

describe('GET /getWallets', () => {
  it('returns a page and the count, and ignores unknown parameters', async () => {
    const response = await app.request(
      '/getWallets?projectId=demo&st=postern&sv=1&page=1&entries=1&chains=eip155:10,solana:x',
    )
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ count: 2, data: [{ id: 'io.one' }] })
    expect(response.headers.get('cache-control')).toContain('max-age')
  })

  it('accepts comma-separated lists and drops empty parts', async () => {
    const response = await app.request('/getWallets?include=,io.two,&exclude=')
    expect(await response.json()).toMatchObject({ count: 1, data: [{ id: 'io.two' }] })
  })

  it.each([
    ['page=0', 'page'],
    ['page=1.5', 'page'],
    ['page=', 'page'],
    ['entries=101', 'entries'],
    ['entries=-1', 'entries'],
    ['badge_type=gold', 'badge_type'],
    ['chains=not%20a%20chain', 'chains'],
    [`search=${'a'.repeat(101)}`, 'search'],
    [`include=${'a,'.repeat(600)}`, 'include'],
  ])('returns 400 with the parameter’s name for ?%s', async (query, name) => {
    const response = await app.request(`/getWallets?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ reasons: [{ name, description: expect.stringMatching(/^must /) }] })
  })
})

describe('pictures', () => {
  it.each([
    ['/getWalletImage/one', 'image/svg+xml'],
    ['/getWalletImage/two', 'image/png'],
    ['/public/getAssetImage/eip155:1', 'image/svg+xml'],
    ['/public/getAssetImage/eip155%3A1', 'image/svg+xml'],
    ['/public/getCurrencyImage/eur', 'image/svg+xml'],
    ['/public/getTokenImage/usdc', 'image/svg+xml'],
  ])('%s is an %s that cannot run scripts or be sniffed as another type', async (url, type) => {
    const response = await app.request(url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*; sandbox$/)
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0)
  })

  it('caches wallet pictures forever, and others for a day', async () => {
    expect((await app.request('/getWalletImage/one')).headers.get('cache-control')).toContain('immutable')
    expect((await app.request('/public/getTokenImage/USDC')).headers.get('cache-control')).toContain('max-age=86400')
  })

  it('returns 304 for a matching ETag', async () => {
    const etag = (await app.request('/getWalletImage/one')).headers.get('etag') ?? ''
    const again = await app.request('/getWalletImage/one', { headers: { 'If-None-Match': `"other", W/${etag}` } })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  it.each([
    '/getWalletImage/unknown',
    '/getWalletImage/..%2F..%2Fpackage.json',
    '/public/getAssetImage/eip155:999',
    '/public/getTokenImage/constructor',
  ])('returns 404 with a reason for %s', async (url) => {
    const response = await app.request(url)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ reasons: [{ description: 'There is no such picture' }] })
  })
})

function icon(content: string | Uint8Array): Icon {
  const read = readIcon(typeof content === 'string' ? new TextEncoder().encode(content) : content)
  if (read === undefined) throw new Error('The test has no picture')
  return read
}
