import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { injectData } from '../../apps/gateway/src/platform/html/data-block'
import {
  modalPageHeaders,
  scriptHeaders,
  walletPageHeaders,
  walletWindowHeaders,
} from '../../apps/gateway/src/platform/html/headers'
import { type Builds, compareHost, isSigned, Manifest, manifestOf, signManifest } from './release'

const page = '<!doctype html>\n<html>\n  <head>\n    <title>Postern</title>\n  </head>\n</html>\n'
let folder: string
let builds: Builds
let server: Server
let origin: string
/** What the host serves, by path without query. */
let served: Map<string, string>
/** Headers of a path, over those of the release. */
let headers: Map<string, Readonly<Record<string, string>>>

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'postern-release-'))
  builds = {
    modal: `${folder}/modal`,
    wallet: `${folder}/wallet`,
    client: `${folder}/client`,
    static: `${folder}/static`,
  }
  for (const build of Object.values(builds)) mkdirSync(`${build}/assets`, { recursive: true })
  const files = {
    'modal/index.html': page,
    'modal/assets/main-abc.js': 'boot()',
    'modal/assets/main-abc.js.br': 'compressed',
    'modal/assets/main-abc.js.map': '{}',
    'wallet/sdk.html': page,
    'wallet/window.html': page,
    'client/postern.js': 'postern()',
    'client/postern-modal.js': 'modal()',
    'client/index.js': 'npm()',
    'client/integrity.json': '{}',
    'static/page.css': 'p {}',
    'static/social.js': 'social()',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text)
  served = new Map([
    ['/', injectData(page, 'postern-page', { projectId: 'demo', name: '</script>' })],
    ['/assets/main-abc.js', 'boot()'],
    ['/sdk', injectData(page, 'postern-wallet', {})],
    ['/window', injectData(page, 'postern-wallet', {})],
    ['/page.css', 'p {}'],
    ['/social.js', 'social()'],
    ['/postern.js', 'postern()'],
    ['/postern-modal.js', 'modal()'],
    ['/postern@1.2.3/postern.js', 'postern()'],
    ['/postern@1.2.3/postern-modal.js', 'modal()'],
    ['/postern@1.2.3/integrity.json', '{}'],
  ])
  headers = new Map()
  server = createServer(({ url = '' }, response) => {
    const at = url.replace(/\?.*/, '')
    const body = served.get(at)
    response.writeHead(body === undefined ? 404 : 200, { ...headersOf(at), ...headers.get(at) }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  origin = `http://127.0.0.1:${address.port}`
})

/** As the gateway sends them. */
function headersOf(at: string): Readonly<Record<string, string>> {
  const origins = { modalOrigin: origin, walletOrigin: origin, production: true }
  const project = ['https://app.example', 'https://*.shop.example']
  if (at === '/') return { 'Content-Type': 'text/html; charset=UTF-8', ...modalPageHeaders(project, null, origins) }
  if (at === '/sdk') return { 'Content-Type': 'text/html; charset=utf-8', ...walletPageHeaders(project, origins) }
  if (at === '/window') return { 'Content-Type': 'text/html; charset=UTF-8', ...walletWindowHeaders }
  if (at.endsWith('.css')) return { 'Content-Type': 'text/css; charset=utf-8' }
  if (at.endsWith('.json')) return { 'Content-Type': 'application/json' }
  return { 'Content-Type': 'text/javascript; charset=utf-8', ...(at.startsWith('/assets/') ? scriptHeaders : {}) }
}

afterEach(() => void server.close())

const compare = () =>
  compareHost(manifestOf(builds, '1.2.3'), {
    origins: { modal: origin, wallet: origin },
    projectId: 'demo',
    dappOrigin: 'https://app.example',
  })

it('lists what a host serves, and nothing else', () => {
  const { files } = Manifest.parse(manifestOf(builds, '1.2.3'))
  expect(files.map(({ site, path: at }) => `${site} ${at}`)).toEqual([
    'modal /assets/main-abc.js',
    'modal /',
    'wallet /sdk',
    'wallet /window',
    'modal /page.css',
    'wallet /page.css',
    'wallet /social.js',
    'modal /postern-modal.js',
    'modal /postern.js',
    'modal /postern@1.2.3/postern-modal.js',
    'modal /postern@1.2.3/postern.js',
    'modal /postern@1.2.3/integrity.json',
  ])
})

it('lists every file that the gateway itself adds', () => {
  const folder = path.join(import.meta.dirname, '../../apps/gateway/static')
  const { files } = manifestOf({ ...builds, static: folder }, '1.2.3')
  const paths = files.map(({ path: at }) => at)
  for (const name of readdirSync(folder)) expect(paths).toContain(`/${name}`)
  writeFileSync(`${builds.static}/new.js`, '')
  expect(() => manifestOf(builds, '1.2.3')).toThrow('which sites serve new.js')
})

it('a host that serves the release has no differences, whatever data its pages carry', async () => {
  expect(await compare()).toEqual([])
})

it('a changed file, a page with another script, and a missing file are differences', async () => {
  served.set('/assets/main-abc.js', 'boot(); steal()')
  served.set('/', page.replace('</head>', '<script src="/assets/other.js"></script>\n  </head>'))
  served.delete('/window')
  expect(await compare()).toMatchObject([
    { url: `${origin}/assets/main-abc.js`, problem: expect.stringContaining('another file') },
    { url: `${origin}/?projectId=demo`, problem: expect.stringContaining('another file') },
    { url: `${origin}/window?projectId=demo`, problem: 'HTTP 404' },
  ])
})

it('a data block cannot hide a script', async () => {
  const hidden = '<script type="application/json" id="x">{}</script><script>steal()</script>\n  </head>'
  served.set('/', page.replace('</head>', hidden))
  expect(await compare()).toHaveLength(1)
})

it.each(['/social.js', '/page.css', '/postern.js', '/postern-modal.js', '/postern@1.2.3/integrity.json'])(
  'a changed %s is a difference',
  async (at) => {
    served.set(at, 'steal()')
    const problems = (await compare()).map(({ url, problem }) => `${new URL(url).pathname} ${problem}`)
    expect(new Set(problems)).toEqual(new Set([expect.stringMatching(`^${at} another file`)]))
  },
)

it('another type is a difference', async () => {
  headers.set('/assets/main-abc.js', { 'Content-Type': 'text/html' })
  headers.set('/social.js', { 'Content-Type': '' })
  expect(await compare()).toMatchObject([
    {
      url: `${origin}/assets/main-abc.js`,
      problem: 'another type: text/html, published text/javascript; charset=utf-8',
    },
    { url: `${origin}/social.js`, problem: expect.stringContaining('another type') },
  ])
})

const csp = 'Content-Security-Policy'
it.each([
  ['none', () => ''],
  ['any script', (policy: string) => policy.replace("script-src 'self'", "script-src 'self' *")],
  ['inline scripts', (policy: string) => policy.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")],
  ['eval', (policy: string) => policy.replace("script-src 'self'", "script-src 'self' 'unsafe-eval'")],
  ['a looser script-src first', (policy: string) => `script-src *; ${policy}`],
  ['a directive that replaces script-src', (policy: string) => `${policy}; script-src-elem *`],
  ['its directives in two policies', (policy: string) => policy.replace('; script-src', ', script-src')],
  ['another wallet', (policy: string) => policy.replace(/frame-src [^;]+/, 'frame-src https://evil.example')],
])('a page whose policy has %s is a difference', async (_, change) => {
  headers.set('/', { [csp]: change(headersOf('/')[csp] ?? '') })
  expect(await compare()).toMatchObject([
    { url: `${origin}/?projectId=demo`, problem: expect.stringContaining(`another ${csp}`) },
  ])
})

it('a worker that may connect, and a page with a header that loads a file, are differences', async () => {
  headers.set('/assets/main-abc.js', { [csp]: "script-src 'self'" })
  headers.set('/window', { Link: '</other.css>; rel=stylesheet' })
  expect(await compare()).toMatchObject([
    { problem: `another ${csp}: default-src, frame-ancestors, require-trusted-types-for, trusted-types` },
    { problem: 'a header that is not of the release: Link' },
  ])
})

it('a second policy is a difference, although it only makes the first stricter', async () => {
  headers.set('/', { [csp]: `upgrade-insecure-requests, ${headersOf('/')[csp]}` })
  expect(await compare()).toMatchObject([{ problem: `another ${csp}: 2 policies` }])
})

it.each([
  ['connections anywhere', 'connect-src', (policy: string) => policy.replace("connect-src 'self'", 'connect-src *')],
  ['any frame', 'frame-src', (policy: string) => policy.replace("frame-src 'none'", 'frame-src *')],
  ['another worker', 'worker-src', (policy: string) => policy.replace("worker-src 'self'", 'worker-src data: blob:')],
  ['no list of ancestors', 'frame-ancestors', (policy: string) => policy.replace(/; frame-ancestors [^;]+/, '')],
  ['any ancestor', 'frame-ancestors', (policy: string) => policy.replace(/frame-ancestors [^;]+/, 'frame-ancestors *')],
  ['any https ancestor', 'frame-ancestors', (policy: string) => policy.replace(/(frame-ancestors [^;]+)/, '$1 https:')],
  [
    'no modal above it',
    'frame-ancestors',
    (policy: string) => policy.replace(`frame-ancestors ${origin} `, 'frame-ancestors '),
  ],
  ['any policy of types', 'trusted-types', (policy: string) => policy.replace('postern-worker', '*')],
  ['a directive more', 'script-src-elem', (policy: string) => `${policy}; script-src-elem 'self'`],
  ['a directive twice', 'base-uri', (policy: string) => `${policy}; base-uri 'none'`],
])('a wallet page whose policy has %s is a difference', async (_, name, change) => {
  headers.set('/sdk', { [csp]: change(headersOf('/sdk')[csp] ?? '') })
  expect(await compare()).toEqual([{ url: `${origin}/sdk?projectId=demo`, problem: `another ${csp}: ${name}` }])
})

it('a project may use a relay, and no other host', async () => {
  const policyWith = (sources: string) =>
    (headersOf('/')[csp] ?? '').replace("connect-src 'self' https:", `connect-src 'self' https:${sources}`)
  headers.set('/', { [csp]: policyWith(' wss://relay.example') })
  expect(await compare()).toEqual([])
  for (const sources of [' wss:', ' http://evil.example', ' wss://relay.example wss://evil.example', ' wss://*', 'x']) {
    headers.set('/', { [csp]: policyWith(sources) })
    expect(await compare()).toMatchObject([{ problem: `another ${csp}: connect-src` }])
  }
})

it.each(['utf-16le', 'iso-2022-jp', 'utf-7', ''])(
  'a page or a script in charset “%s” is a difference',
  async (charset) => {
    const parameter = charset === '' ? '' : `; charset=${charset}`
    headers.set('/', { 'Content-Type': `text/html${parameter}` })
    headers.set('/social.js', { 'Content-Type': `text/javascript${parameter}` })
    expect(await compare()).toMatchObject([
      { url: `${origin}/?projectId=demo`, problem: expect.stringContaining('another type') },
      { url: `${origin}/social.js`, problem: expect.stringContaining('another type') },
    ])
  },
)

it('a type is the same in another case or with other spaces', async () => {
  headers.set('/social.js', { 'Content-Type': 'Text/JavaScript;charset=UTF-8' })
  expect(await compare()).toEqual([])
})

it('a signature is of these bytes by this key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const bytes = Buffer.from(JSON.stringify(manifestOf(builds, '1.2.3')))
  const signature = signManifest(bytes, privateKey)
  expect(isSigned(bytes, signature, publicKey)).toBe(true)
  expect(isSigned(Buffer.concat([bytes, Buffer.from(' ')]), signature, publicKey)).toBe(false)
  expect(isSigned(bytes, signature, generateKeyPairSync('ed25519').publicKey)).toBe(false)
})
