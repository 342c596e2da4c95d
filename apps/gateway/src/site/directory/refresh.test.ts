import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDirectory } from './directory'
import { loadDirectory } from './load'
import { type RefreshOptions, refreshDirectory } from './refresh'

const svg = (d: string) => `<svg xmlns="http://www.w3.org/2000/svg"><path d="${d}"/></svg>`

/** A directory's HTTP server; each test sets the responses. */
type Upstream = {
  wallets: unknown[]
  images: Record<string, string | Buffer>
  page?: (page: number) => { status?: number; body: string }
  readonly requests: URL[]
}

let upstream: Upstream
let options: RefreshOptions
let close: () => Promise<void>

beforeEach(async () => {
  upstream = { wallets: [], images: {}, requests: [] }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://upstream')
    upstream.requests.push(url)
    if (url.pathname === '/base/getWallets') {
      const page = Number(url.searchParams.get('page'))
      const entries = Number(url.searchParams.get('entries'))
      const data = upstream.wallets.slice((page - 1) * entries, page * entries)
      const answer = upstream.page?.(page) ?? { body: JSON.stringify({ data, count: upstream.wallets.length }) }
      response.writeHead(answer.status ?? 200).end(answer.body)
      return
    }
    const image = upstream.images[decodeURIComponent(url.pathname.replace('/base/getWalletImage/', ''))]
    response.writeHead(image === undefined ? 404 : 200).end(image)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The stand-in listens on no port')
  const folder = await mkdtemp(path.join(tmpdir(), 'refresh-'))
  options = {
    folder,
    upstream: `http://127.0.0.1:${address.port}/base/`,
    parameters: { projectId: 'p', st: 'postern', sv: '1' },
    fetch,
  }
  close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    await rm(folder, { recursive: true })
  }
})
afterEach(() => close())

const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({ id: `w${from + i}`, name: `Wallet ${from + i}` }))
const onDisk = async () => createDirectory(await loadDirectory(options.folder))

describe('refreshDirectory', () => {
  it('1. requests all pages with its parameters', async () => {
    upstream.wallets = numbered(250)
    expect(await refreshDirectory(options)).toMatchObject({ wallets: 250, leftOut: 0 })
    expect((await onDisk()).query({}).count).toBe(250)
    expect(upstream.requests.map((url) => url.searchParams.get('page'))).toEqual(['1', '2', '3'])
    expect(Object.fromEntries(upstream.requests[0]?.searchParams ?? [])).toMatchObject({
      projectId: 'p',
      st: 'postern',
      sv: '1',
    })
  })

  it('1. stops at an empty page before the promised count', async () => {
    upstream.page = (page) => ({ body: JSON.stringify({ data: page === 1 ? numbered(3) : [], count: 9_999 }) })
    expect(await refreshDirectory(options)).toMatchObject({ wallets: 3 })
    expect(upstream.requests).toHaveLength(2)
  })

  it('1. stops at its page limit if the upstream never ends', async () => {
    upstream.page = (page) => ({ body: JSON.stringify({ data: numbered(1_000, page * 1_000), count: 1_000_000 }) })
    expect(await refreshDirectory(options)).toMatchObject({ wallets: 10_000 })
  })

  it('2. leaves out invalid entries and duplicate ids', async () => {
    upstream.wallets = [
      ...numbered(3),
      { id: 'w0', name: 'Impostor' },
      { id: 'x' },
      { id: 'y', name: 'Y', image_id: '../../escape' },
    ]
    expect(await refreshDirectory(options)).toMatchObject({ wallets: 3, leftOut: 2 })
    expect((await onDisk()).query({ include: ['w0'] }).data[0]?.name).toBe('Wallet 0')
  })

  it('3. drops links that are neither https nor start an app', async () => {
    upstream.wallets = [
      {
        id: 'a',
        name: 'A',
        homepage: 'javascript:alert(1)',
        mobile_link: 'JavaScript://%0aalert(1)',
        desktop_link: 'a-wallet://open',
        webapp_link: 'https://app.example/?ref=1',
        app_store: 'http://apps.apple.com/x',
        chrome_store: 'https://chromewebstore.google.com/detail/x',
      },
    ]
    await refreshDirectory(options)
    expect((await onDisk()).query({}).data).toEqual([
      {
        id: 'a',
        name: 'A',
        desktop_link: 'a-wallet://open/',
        chrome_store: 'https://chromewebstore.google.com/detail/x',
      },
    ])
  })

  it('4. accepts small, valid pictures, and lists other wallets without one', async () => {
    upstream.wallets = ['good', 'script', 'html', 'huge', 'missing'].map((id) => ({ id, name: id, image_id: id }))
    upstream.images = {
      good: svg('M0 0'),
      script: svg('M1 1').replace('<path', '<script>alert(1)</script><path'),
      html: '<html></html>',
      huge: Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(70_000)]),
    }
    expect(await refreshDirectory(options)).toEqual({ wallets: 5, leftOut: 0, icons: 2, withoutIcon: 3 })
    const directory = await onDisk()
    expect(text(directory.walletImage('good')?.bytes)).toBe(svg('M0 0'))
    expect(text(directory.walletImage('script')?.bytes)).toBe(svg('M1 1'))
    expect(directory.query({ include: ['huge'] }).data[0]?.image_id).toBeUndefined()
  })

  it('4. keeps the existing picture if the upstream cannot provide it', async () => {
    upstream.wallets = [{ id: 'a', name: 'A', image_id: 'a' }]
    upstream.images = { a: svg('M0 0') }
    await refreshDirectory(options)
    upstream.images = {}
    expect(await refreshDirectory(options)).toMatchObject({ icons: 1, withoutIcon: 0 })
    expect(text((await onDisk()).walletImage('a')?.bytes)).toBe(svg('M0 0'))
  })

  it.each([
    ['nothing', { body: '{"data":[],"count":0}' }, /listed no wallet/],
    [
      'less than half',
      { body: JSON.stringify({ data: numbered(9), count: 9 }) },
      /listed 9 wallets; the directory has 20/,
    ],
    [
      'mostly faults',
      { body: JSON.stringify({ data: [...numbered(12), ...Array(13).fill({})], count: 25 }) },
      /13 of 25/,
    ],
    ['another shape', { body: '{"wallets":{}}' }, /not in the shape/],
    ['no JSON', { body: '<html>' }, /JSON/],
    ['an error', { status: 503, body: '' }, /HTTP status code: 503/],
    ['an endless page', { body: `{"data":[],"x":"${'x'.repeat(5_000_000)}"}` }, /longer than/],
  ])('5. changes nothing if the upstream returns %s', async (_what, answer, message) => {
    upstream.wallets = numbered(20)
    await refreshDirectory(options)
    const before = await readFile(path.join(options.folder, 'wallets.json'), 'utf8')
    upstream.page = () => answer
    await expect(refreshDirectory(options)).rejects.toThrow(message)
    expect(await readFile(path.join(options.folder, 'wallets.json'), 'utf8')).toBe(before)
  })

  it('6. removes unused pictures and leaves no partial files', async () => {
    upstream.wallets = [{ id: 'a', name: 'A', image_id: 'old' }]
    upstream.images = { old: svg('M0 0'), new: svg('M1 1') }
    await refreshDirectory(options)
    upstream.wallets = [{ id: 'a', name: 'A', image_id: 'new' }]
    await refreshDirectory(options)
    expect(await readdir(path.join(options.folder, 'icons'))).toEqual(['new.svg'])
    expect((await readdir(options.folder)).sort()).toEqual(['icons', 'wallets.json'])
  })
})

function text(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes)
}
