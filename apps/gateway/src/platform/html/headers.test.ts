import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProjectInput } from '../../projects/project'
import { readPinnedTag } from '../../site/script'
import { modalOrigin, startTestApp, type TestApp, walletOrigin } from '../../testing/app'
import { createFiles } from './files'

let app: TestApp
let development: TestApp
beforeAll(async () => {
  app = await startTestApp()
  development = await startTestApp({ production: false })
  for (const name of ['sdk.html', 'window.html']) {
    await writeFile(path.join(app.walletDir, name), '<!doctype html><head></head>')
  }
})
afterAll(async () => {
  await app.close()
  await development.close()
})

type Directives = Readonly<Record<string, readonly string[]>>

function directivesOf(response: Response): Directives {
  const header = response.headers.get('Content-Security-Policy') ?? ''
  return Object.fromEntries(
    header.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )
}

const strict = '?projectId=strict'
const pages: [string, () => Promise<Response>][] = [
  ['the modal page', () => app.get(`/${strict}`)],
  ['the wallet page', () => app.get(`${walletOrigin}/sdk${strict}`)],
  ['the refusal', () => app.get('/')],
]
/** Open as windows; not frameable. */
const windows: typeof pages = [
  ['the wallet’s window', () => app.get(`${walletOrigin}/window${strict}`)],
  ['the page of a social sign-in', () => app.get(`${walletOrigin}/auth/social/opening`)],
]

describe('1. pages run and load only what this gateway serves', () => {
  test.each([...pages, ...windows])('%s', async (_, get) => {
    const response = await get()
    const directives = directivesOf(response)
    expect(directives).toMatchObject({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'require-trusted-types-for': ["'script'"],
    })
    const policy = response.headers.get('Content-Security-Policy')
    expect(policy).not.toMatch(/unsafe-|\*|http:|nonce-/)
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
  })

  test('the wallet page connects only to its own site', async () => {
    expect(directivesOf(await app.get(`${walletOrigin}/sdk${strict}`))).toMatchObject({
      'connect-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'frame-src': ["'none'"],
    })
  })

  test('the modal page frames only the wallet page, and may connect to https endpoints', async () => {
    expect(directivesOf(await app.get(`/${strict}`))).toMatchObject({
      'frame-src': [walletOrigin],
      'connect-src': ["'self'", 'https:'],
      'img-src': ["'self'", 'data:', 'blob:'],
    })
  })

  test('the modal page of a project with WalletConnect may also connect to the relay, and no other WebSocket', async () => {
    await app.projects.add(ProjectInput.parse({ id: 'relayed', name: 'Relayed', walletConnect: 'c0ffee' }))
    const { 'connect-src': sources } = directivesOf(await app.get('/?projectId=relayed'))
    expect(sources).toEqual(["'self'", 'https:', 'wss://relay.example.com'])
    const wallet = directivesOf(await app.get(`${walletOrigin}/sdk?projectId=relayed`))
    expect(wallet['connect-src']).toEqual(["'self'"])
  })

  test('allows a loopback relay in development', async () => {
    const near = await startTestApp({ production: false, relayUrl: 'ws://127.0.0.1:8550' })
    await near.projects.update('strict', { walletConnect: 'c0ffee' })
    const { 'connect-src': sources = [] } = directivesOf(await near.get(`/${strict}`))
    expect(sources.filter((source) => source.startsWith('ws'))).toEqual(['ws://127.0.0.1:8550'])
    await near.close()
  })

  test('allows loopback endpoints in development', async () => {
    const { 'connect-src': sources } = directivesOf(await development.get(`/${strict}`))
    expect(sources).toContain('http://127.0.0.1:*')
  })
})

describe('2. frame ancestors', () => {
  test('the modal page: its project’s origins', async () => {
    expect(directivesOf(await app.get(`/${strict}`))['frame-ancestors']).toEqual(['https://app.example.com'])
    const open = directivesOf(await app.get('/?projectId=demo'))['frame-ancestors']
    expect(open).toEqual(
      expect.arrayContaining(['https://*.preview.example.com', 'http://localhost:*', 'https://*.vercel.app']),
    )
    expect(open).not.toContain('*')
  })

  test('the wallet page: the modal page in its project’s origins', async () => {
    const directives = directivesOf(await app.get(`${walletOrigin}/sdk${strict}`))
    expect(directives['frame-ancestors']).toEqual([modalOrigin, 'https://app.example.com'])
  })

  test('none if the project has no origin', async () => {
    await app.projects.add(ProjectInput.parse({ id: 'empty', name: 'Empty', defaultAncestors: false }))
    for (const url of ['/?projectId=empty', `${walletOrigin}/sdk?projectId=empty`]) {
      expect(directivesOf(await app.get(url))['frame-ancestors']).toEqual(["'none'"])
    }
  })

  test('the refusal: any', async () => {
    expect(directivesOf(await app.get('/'))).not.toHaveProperty('frame-ancestors')
  })
})

describe('3. pages can be embedded in cross-origin isolated dapps', () => {
  test.each(pages)('%s', async (_, get) => {
    const { headers } = await get()
    expect(headers.get('Cross-Origin-Embedder-Policy')).toBe('require-corp')
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin')
  })
})

describe('4. other responses cannot be framed or run scripts', () => {
  test.each(['/health', '/openapi.json', '/postern.js', '/nothing', '/projects/v1/origins?projectId=demo'])(
    '%s',
    async (url) => {
      const response = await app.get(url)
      expect(directivesOf(response)).toMatchObject({
        'default-src': ["'none'"],
        'frame-ancestors': ["'none'"],
        sandbox: [],
      })
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
    },
  )
})

describe('5. the wallet’s window and the pages of a sign-in', () => {
  test.each(windows)('%s cannot be framed and keeps its opener', async (_, get) => {
    const response = await get()
    expect(response.status).toBe(200)
    expect(directivesOf(response)).toMatchObject({ 'frame-ancestors': ["'none'"], 'connect-src': ["'self'"] })
    expect(response.headers.get('Cross-Origin-Opener-Policy')).toBe('unsafe-none')
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer')
  })

  test('the window may use passkeys and write to the clipboard', async () => {
    const header = (await app.get(`${walletOrigin}/window${strict}`)).headers.get('Permissions-Policy') ?? ''
    for (const feature of ['publickey-credentials-create', 'publickey-credentials-get', 'clipboard-write']) {
      expect(header).toContain(`${feature}=(self)`)
    }
    for (const feature of ['camera', 'storage-access']) expect(header).toContain(`${feature}=()`)
  })
})

describe('6. the wallet’s worker', () => {
  test('is allowed by one policy, from our own files only', async () => {
    for (const page of ['sdk', 'window']) {
      const directives = directivesOf(await app.get(`${walletOrigin}/${page}${strict}`))
      expect(directives).toMatchObject({ 'worker-src': ["'self'"], 'trusted-types': ['postern-worker'] })
    }
    expect(directivesOf(await app.get(`/${strict}`))['trusted-types']).toEqual(["'none'"])
  })

  test('has our own files and no network', async () => {
    const response = await app.get(`${walletOrigin}/assets/sdk-abc.js`)
    expect(directivesOf(response)).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'frame-ancestors': ["'none'"],
      'require-trusted-types-for': ["'script'"],
      'trusted-types': ["'none'"],
    })
    expect(response.headers.get('Cross-Origin-Embedder-Policy')).toBe('require-corp')
  })
})

describe('7. the wallet’s origin has its own process', () => {
  test('wallet pages request an origin-keyed process, modal pages do not', async () => {
    const headerOf = async (url: string) => (await app.get(url)).headers.get('Origin-Agent-Cluster')
    for (const path of ['/sdk', '/window', '/auth/social/opening'])
      expect([path, await headerOf(`${walletOrigin}${path}${strict}`)]).toEqual([path, '?1'])
    expect(await headerOf(`/${strict}`)).toBeNull()
    expect(await headerOf('/')).toBeNull()
  })
})

test('disables powerful features except the ones in use', async () => {
  const header = (await app.get(`/${strict}`)).headers.get('Permissions-Policy') ?? ''
  for (const feature of ['microphone', 'geolocation', 'payment', 'usb', 'clipboard-read']) {
    expect(header).toContain(`${feature}=()`)
  }
  expect(header).toContain('camera=(self)')
  for (const feature of ['clipboard-write', 'publickey-credentials-get'])
    expect(header).toContain(`${feature}=(self "${walletOrigin}")`)
})

test('pins TLS in production only', async () => {
  expect((await app.get('/health')).headers.get('Strict-Transport-Security')).toMatch(
    /^max-age=\d{8}; includeSubDomains$/,
  )
  expect((await development.get('/health')).headers.get('Strict-Transport-Security')).toBeNull()
})

describe('caching and embedding of files', () => {
  test('hashed files are cached for a year, and compressed if the client accepts it', async () => {
    const response = await app.get('/assets/main-abc.js', { 'Accept-Encoding': 'br' })
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('Content-Encoding')).toBe('br')
    expect(response.headers.get('Content-Length')).toBe('6')
    expect(await response.text()).toBe('brotli')
    const plain = await app.get('/assets/main-abc.js')
    expect(plain.headers.get('Content-Encoding')).toBeNull()
    expect(plain.headers.get('Vary')).toBe('Accept-Encoding')
  })

  test('serves the chunks of postern.js, and nothing else of that folder', async () => {
    await writeFile(path.join(app.sdkDir, 'postern-page-wallets.js'), 'export {}')
    await writeFile(path.join(app.sdkDir, 'secret.js'), 'no')
    const response = await app.get('/postern-page-wallets.js')
    expect(response.status).toBe(200)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    for (const name of ['secret.js', 'postern-missing.js', 'postern-.js', 'postern-..%2fsecret.js', 'postern.js.map']) {
      expect((await app.get(`/${name}`)).status, name).toBe(404)
    }
  })

  const build = (version: string, texts: Readonly<Record<string, string>>) => {
    const hashOf = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`
    const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, hashOf(text)]))
    return JSON.stringify({ version, files })
  }
  const cachingOf = (response: Response) => response.headers.get('Cache-Control')
  const aYear = 'public, max-age=31536000, immutable'

  test('a version’s files never change: its own path, cached for a year, also for earlier versions', async () => {
    await writeFile(path.join(app.sdkDir, 'integrity.json'), build('1.2.3', { 'postern.js': 'newest()' }))
    await writeFile(path.join(app.sdkDir, 'postern.js'), 'newest()')
    await mkdir(path.join(app.sdkDir, '1.2.2'))
    await writeFile(path.join(app.sdkDir, '1.2.2/integrity.json'), build('1.2.2', { 'postern.js': 'earlier()' }))
    await writeFile(path.join(app.sdkDir, '1.2.2/postern.js'), 'earlier()')
    const pinned = await app.get('/postern@1.2.3/postern.js')
    expect(await pinned.text()).toBe('newest()')
    expect(Object.fromEntries(pinned.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': aYear,
    })
    const earlier = await app.get('/postern@1.2.2/postern.js')
    expect([await earlier.text(), cachingOf(earlier)]).toEqual(['earlier()', aYear])
    expect(await (await app.get('/postern.js?v=1.2.2')).text()).toBe('earlier()')
    const integrity = await app.get('/postern@1.2.3/integrity.json')
    expect([await integrity.json(), cachingOf(integrity)]).toMatchObject([{ version: '1.2.3' }, 'no-store'])
    const newest = await app.get('/integrity.json')
    expect([await newest.json(), cachingOf(newest)]).toMatchObject([{ version: '1.2.3' }, 'no-store'])
    expect(newest.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(await readPinnedTag(createFiles(app.sdkDir))).toEqual({
      path: '/postern@1.2.3/postern.js',
      integrity: expect.stringMatching(/^sha384-/),
    })
    for (const url of ['/postern@1.2.1/postern.js', '/postern.js?v=1.2.1', '/postern.js?v=..', '/postern@/postern.js'])
      expect((await app.get(url)).status, url).toBe(404)
  })

  test('a version’s file with another hash is not found, and not kept', async () => {
    const put = (name: string, bytes: string | Buffer) => writeFile(path.join(app.sdkDir, name), bytes)
    // A new build in place: its integrity.json is there first.
    await put('postern.js', 'old()')
    await put('integrity.json', build('2.0.0', { 'postern.js': 'new()' }))
    const early = await app.get('/postern@2.0.0/postern.js')
    expect([early.status, cachingOf(early)]).toEqual([404, 'no-store'])
    await put('postern.js.br', brotliCompressSync('old()'))
    await put('postern.js', 'new()')
    for (const encoding of ['identity', 'br']) {
      const response = await app.get('/postern@2.0.0/postern.js', { 'Accept-Encoding': encoding })
      expect([await response.text(), cachingOf(response)], encoding).toEqual(['new()', aYear])
    }
    await rm(path.join(app.sdkDir, 'postern.js.br'))
    for (const half of ['{"version":"2.0', '']) {
      await put('integrity.json', half)
      expect((await app.get('/postern@2.0.0/postern.js')).status).toBe(404)
    }
  })

  test('a version’s file whose hash is not known is not kept', async () => {
    await writeFile(path.join(app.sdkDir, 'integrity.json'), build('2.0.0', {}))
    await mkdir(path.join(app.sdkDir, '1.0.0'))
    await writeFile(path.join(app.sdkDir, '1.0.0/postern.js'), 'first()')
    for (const version of ['2.0.0', '1.0.0']) {
      const response = await app.get(`/postern@${version}/postern.js`)
      expect([response.status, cachingOf(response)], version).toEqual([200, 'no-store'])
    }
  })

  test('an unreleased version’s files are revalidated', async () => {
    await writeFile(path.join(app.sdkDir, 'postern.js'), 'next()')
    await writeFile(path.join(app.sdkDir, 'integrity.json'), build('0.0.0', { 'postern.js': 'next()' }))
    expect(cachingOf(await app.get('/postern@0.0.0/postern.js'))).toBe('no-cache')
  })

  test('postern.js is readable by every page and revalidated on each request', async () => {
    const response = await app.get('/postern.js')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-cache',
      'content-type': 'text/javascript; charset=utf-8',
    })
    const etag = response.headers.get('ETag') ?? ''
    expect((await app.get('/postern.js', { 'If-None-Match': etag })).status).toBe(304)
    expect((await app.get('/postern.js', { 'If-None-Match': `W/"other", W/${etag}` })).status).toBe(304)
    expect((await app.get('/postern.js', { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test.each([
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/assets/',
    '/index.html',
    '/sdk.html',
  ])('%s is not found', async (url) => {
    expect((await app.get(url)).status).toBe(404)
  })
})
