import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { knock, ProjectPage, projectPageElementId, Refusal } from '@postern/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ProjectInput } from '../../projects/project'
import { indexHtml, modalOrigin, startTestApp, type TestApp, walletOrigin } from '../../testing/app'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const page = '/?projectId=demo&sv=1.0.0'
const allowed = { Referer: 'https://app.example.com/' }

describe('page of a navigation', () => {
  const table: [string, string, string | undefined, 'real' | string][] = [
    ['an allowed origin', page, 'https://app.example.com/', 'real'],
    ['an allowed origin with a path', page, 'https://app.example.com/swap?x=1', 'real'],
    ['one label under a wildcard', page, 'https://pr-1.preview.example.com/', 'real'],
    ['two labels under a wildcard', page, 'https://a.b.preview.example.com/', 'ORIGIN_NOT_ALLOWED'],
    ['another origin', page, 'https://evil.test/', 'ORIGIN_NOT_ALLOWED'],
    ['a look-alike', page, 'https://app.example.com.evil.test/', 'ORIGIN_NOT_ALLOWED'],
    ['another scheme', page, 'http://app.example.com/', 'ORIGIN_NOT_ALLOWED'],
    ['development', page, 'http://localhost:5173/', 'real'],
    ['development, kept out', '/?projectId=strict', 'http://localhost:5173/', 'ORIGIN_NOT_ALLOWED'],
    ['itself, reloaded', page, `${modalOrigin}/?projectId=demo`, 'real'],
    ['no referrer', page, undefined, 'real'],
    ['a Referer that is no URL', page, 'app.example.com', 'real'],
    ['a Referer of another kind', page, 'android-app://com.example/', 'real'],
    ['no project', '/', 'https://app.example.com/', 'PROJECT_ID_NOT_CONFIGURED'],
    ['an empty project', '/?projectId=', 'https://app.example.com/', 'PROJECT_ID_NOT_CONFIGURED'],
    ['an unknown project', '/?projectId=other', 'https://app.example.com/', 'INVALID_PROJECT_ID'],
    ['an invalid project id', '/?projectId=%00', undefined, 'INVALID_PROJECT_ID'],
  ]
  test.each(table)('%s', async (_, url, referer, expected) => {
    const response = await app.get(url, referer === undefined ? {} : { Referer: referer })
    const html = await response.text()
    expect(response.headers.get('Content-Type')).toMatch(/^text\/html/)
    expect(response.headers.get('Vary')).toContain('Referer')
    if (expected === 'real') {
      expect(response.status).toBe(200)
      expect(html).toContain(`id="${projectPageElementId}"`)
    } else {
      expect(response.status).toBe(403)
      expect(html).toContain(`data-code="${expected}"`)
      expect(html).not.toContain('main-abc.js')
    }
  })
})

describe('the real page', () => {
  test('has only the features that the project’s owner set', async () => {
    const features = { swaps: false, pay: true }
    await app.projects.add(ProjectInput.parse({ id: 'flagged', name: 'Flagged', features }))
    const html = await (await app.get('/?projectId=flagged')).text()
    const [, json = ''] = /id="postern-project">(.*?)<\/script>/.exec(html) ?? []
    expect(ProjectPage.parse(JSON.parse(json)).features).toEqual(features)
  })

  test('embeds its project in a block that no value can end', async () => {
    const html = await (await app.get(page, allowed)).text()
    const [, json = ''] = /<script type="application\/json" id="postern-project">(.*?)<\/script>/.exec(html) ?? []
    expect(json).not.toContain('<')
    expect(ProjectPage.parse(JSON.parse(json))).toMatchObject({
      projectId: 'demo',
      name: 'Demo </script> & Co',
      allowedOrigins: ['https://app.example.com', 'https://*.preview.example.com'],
      defaultAncestors: true,
      features: {},
      gatewayVersion: '1.2.3',
      walletConnect: null,
      money: { swapChainIds: [], onramp: false, nameSuffix: null },
    })
    expect(html.replace(/<script type="application\/json".*?<\/script>\s*/, '')).toBe(indexHtml)
  })

  test('has WalletConnect’s relay and the project’s id there', async () => {
    await app.projects.add(ProjectInput.parse({ id: 'relayed', name: 'Relayed', walletConnect: 'c0ffee' }))
    const html = await (await app.get('/?projectId=relayed')).text()
    expect(html).toContain('"walletConnect":{"relayUrl":"wss://relay.example.com/v2","projectId":"c0ffee"}')
    await app.projects.update('relayed', { walletConnect: null })
    expect(await (await app.get('/?projectId=relayed')).text()).toContain('"walletConnect":null')
  })

  test('is compressed if the client accepts it', async () => {
    const plain = await (await app.get(page, allowed)).text()
    const br = await app.get(page, { ...allowed, 'Accept-Encoding': 'gzip, br' })
    expect(br.headers.get('Content-Encoding')).toBe('br')
    expect(brotliDecompressSync(Buffer.from(await br.arrayBuffer())).toString()).toBe(plain)
    const gzip = await app.get(page, { ...allowed, 'Accept-Encoding': 'gzip' })
    expect(gzip.headers.get('Content-Encoding')).toBe('gzip')
    expect(gunzipSync(Buffer.from(await gzip.arrayBuffer())).toString()).toBe(plain)
    expect(gzip.headers.get('ETag')).not.toBe(br.headers.get('ETag'))
  })

  test('is sent again only after the project or the build changes', async () => {
    const first = await app.get('/?projectId=strict', allowed)
    const etag = first.headers.get('ETag') ?? ''
    const again = await app.get('/?projectId=strict', { ...allowed, 'If-None-Match': etag })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    expect(again.headers.get('Content-Security-Policy')).toBe(first.headers.get('Content-Security-Policy'))
    await app.projects.update('strict', { allowedOrigins: ['https://app.example.com', 'https://two.example.com'] })
    const changed = await app.get('/?projectId=strict', { ...allowed, 'If-None-Match': etag })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('Content-Security-Policy')).toContain('https://two.example.com')
  })

  test('refuses a removed origin at once', async () => {
    await app.projects.update('strict', { allowedOrigins: [] })
    expect((await app.get('/?projectId=strict', allowed)).status).toBe(403)
    const unsaid = await app.get('/?projectId=strict')
    expect(unsaid.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
  })

  test('is 503 with a hint if the modal is not built', async () => {
    await rm(path.join(app.modalDir, 'index.html'))
    const response = await app.get(page, allowed)
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('npm run build')
    await writeFile(path.join(app.modalDir, 'index.html'), indexHtml)
  })
})

describe('the refusal', () => {
  test('shows the origin as escaped text', async () => {
    const html = await (await app.get(page, { Referer: 'https://evil.test/"><script>alert(1)</script>' })).text()
    expect(html).toContain('<code>https://evil.test</code>')
    expect(html).toContain('data-fix="Add the page’s origin to the project’s allowed origins."')
    expect(html).not.toContain('alert(1)')
  })

  /** Runs the real `refusal.js` with a fake parent. */
  async function openRefusal(code = 'ORIGIN_NOT_ALLOWED') {
    const script = await (await app.get('/refusal.js')).text()
    const listeners = new Set<(event: object) => void>()
    const knocks: unknown[][] = []
    const parent = { postMessage: (...message: unknown[]) => knocks.push(message) }
    const window = {
      parent,
      addEventListener: (_: string, listener: (event: object) => void) => listeners.add(listener),
      removeEventListener: (_: string, listener: (event: object) => void) => listeners.delete(listener),
    }
    const document = { documentElement: { dataset: { code, message: 'why', fix: 'do it' } } }
    runInContext(script, createContext({ window, document }))
    const send = (event: object) => {
      for (const listener of [...listeners])
        listener({ ports: [], origin: 'https://evil.test', source: parent, ...event })
    }
    return { knocks, listeners, send }
  }
  const hello = { type: 'postern:hello', v: 1, min: 1, sdk: '1' }

  let channel: MessageChannel
  beforeEach(() => {
    channel = new MessageChannel()
  })
  afterEach(() => {
    channel.port1.close()
    channel.port2.close()
  })

  test('1. knocks like the modal host', async () => {
    expect((await openRefusal()).knocks).toEqual([[knock, '*']])
  })

  test('2. responds to the first hello on its port with the origin from the browser, then stops listening', async () => {
    const refusal = await openRefusal()
    const answer = new Promise((resolve) => {
      channel.port1.onmessage = (event) => resolve(event.data)
    })
    refusal.send({ data: hello, ports: [channel.port2] })
    expect(Refusal.parse(await answer)).toEqual({
      kind: 'refused',
      error: { code: 'ORIGIN_NOT_ALLOWED', message: 'why', fix: 'do it' },
      origin: 'https://evil.test',
    })
    expect(refusal.listeners.size).toBe(0)
  })

  test('3. ignores other senders, other messages, and a hello without a port', async () => {
    const refusal = await openRefusal()
    const posted: unknown[] = []
    const port = { postMessage: (data: unknown) => posted.push(data), close: () => {} }
    refusal.send({ data: hello, ports: [port], source: {} })
    refusal.send({ data: hello, ports: [port], source: null })
    refusal.send({ data: null, ports: [port] })
    refusal.send({ data: 'postern:hello', ports: [port] })
    refusal.send({ data: hello })
    expect(posted).toEqual([])
    refusal.send({ data: hello, ports: [port] })
    expect(posted).toHaveLength(1)
  })
})

describe('the wallet page', () => {
  const url = `${walletOrigin}/sdk?projectId=demo&chainId=1&version=4`

  test('is 404 before it is built', async () => {
    expect((await app.get(url, { Referer: `${modalOrigin}/` })).status).toBe(404)
  })

  describe('once built', () => {
    beforeAll(() => writeFile(path.join(app.walletDir, 'sdk.html'), '<!doctype html><head></head>'))
    afterAll(() => rm(path.join(app.walletDir, 'sdk.html')))
    test.each([
      ['the modal page', url, `${modalOrigin}/`, 200],
      ['itself, reloaded', url, `${walletOrigin}/sdk`, 200],
      ['no referrer', url, undefined, 200],
      ['a dapp', url, 'https://app.example.com/', 404],
      ['an unknown project', `${walletOrigin}/sdk?projectId=other`, `${modalOrigin}/`, 404],
      ['the modal site', `${modalOrigin}/sdk?projectId=demo`, `${modalOrigin}/`, 404],
    ])('%s', async (_, from, referer, status) => {
      expect((await app.get(from, referer === undefined ? {} : { Referer: referer })).status).toBe(status)
    })
  })

  test('the wallet site serves no routes of the modal site', async () => {
    for (const name of [
      '/?projectId=demo',
      '/postern.js',
      '/getWallets?projectId=demo',
      '/refusal.js',
      '/openapi.json',
    ]) {
      expect((await app.get(`${walletOrigin}${name}`)).status).toBe(404)
    }
  })
})
