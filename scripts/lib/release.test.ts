import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { injectData } from '../../apps/gateway/src/pages/data-block'
import { type Builds, compareHost, isSigned, Manifest, manifestOf, signManifest } from './release'

const page = '<!doctype html>\n<html>\n  <head>\n    <title>Postern</title>\n  </head>\n</html>\n'
let folder: string
let builds: Builds
let server: Server
let origin: string
/** What the host serves, by path without query. */
let served: Map<string, string>

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'postern-release-'))
  builds = { modal: `${folder}/modal`, wallet: `${folder}/wallet`, client: `${folder}/client` }
  for (const build of Object.values(builds)) mkdirSync(`${build}/assets`, { recursive: true })
  const files = {
    'modal/index.html': page,
    'modal/assets/main-abc.js': 'boot()',
    'modal/assets/main-abc.js.br': 'compressed',
    'modal/assets/main-abc.js.map': '{}',
    'wallet/window.html': page,
    'client/postern.js': 'postern()',
    'client/postern-modal.js': 'modal()',
    'client/index.js': 'npm()',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text)
  served = new Map([
    ['/', injectData(page, 'postern-page', { projectId: 'demo', name: '</script>' })],
    ['/assets/main-abc.js', 'boot()'],
    ['/window', injectData(page, 'postern-wallet', {})],
    ['/postern@1.2.3/postern.js', 'postern()'],
    ['/postern@1.2.3/postern-modal.js', 'modal()'],
  ])
  server = createServer(({ url = '' }, response) => {
    const body = served.get(url.replace(/\?.*/, ''))
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  origin = `http://127.0.0.1:${address.port}`
})

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
    'wallet /window',
    'modal /postern@1.2.3/postern-modal.js',
    'modal /postern@1.2.3/postern.js',
  ])
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

it('a signature is of these bytes by this key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const bytes = Buffer.from(JSON.stringify(manifestOf(builds, '1.2.3')))
  const signature = signManifest(bytes, privateKey)
  expect(isSigned(bytes, signature, publicKey)).toBe(true)
  expect(isSigned(Buffer.concat([bytes, Buffer.from(' ')]), signature, publicKey)).toBe(false)
  expect(isSigned(bytes, signature, generateKeyPairSync('ed25519').publicKey)).toBe(false)
})
