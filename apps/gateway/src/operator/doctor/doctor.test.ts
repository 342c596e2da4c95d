import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../config'
import type { GatewayNetwork } from '../../platform/upstreams/gateway-network'
import { modalOrigin, startTestApp, type TestApp, walletOrigin } from '../../testing/app'
import { rememberRunning } from '../dev/running'
import { developmentSettings } from '../dev/settings'
import { readAddresses, readCertificate } from './command'
import { type DoctorChecks, type DoctorConfig, diagnose, report } from './doctor'
import { doctorSettings } from './settings'

const day = 86_400_000
const at = Date.parse('2026-06-01T00:00:00Z')
const records: Readonly<Record<string, readonly string[]>> = {
  'mail.example.com': ['v=spf1 include:_spf.example.net -all', 'other=1'],
  'default._domainkey.mail.example.com': ['v=DKIM1; k=ed25519; p=11qYAYKxCrfVS'],
  '_dmarc.example.com': ['v=DMARC1; p=none; sp=reject'],
}

let app: TestApp
const closing: (() => void)[] = []
beforeAll(async () => {
  app = await startTestApp()
  await writeFile(path.join(app.walletDir, 'window.html'), '<!doctype html><html><head></head><body></body></html>')
})
afterAll(async () => {
  for (const close of closing) close()
  await app.close()
})

/** An upstream that gives this answer to everything. */
async function upstream(answer: string): Promise<string> {
  const server = createServer((_, response) => response.end(answer)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`
}

const config: DoctorConfig = {
  production: true,
  modalOrigin,
  walletOrigin,
  networks: [],
  projectId: 'demo',
  mail: { from: 'Postern <sign-in@mail.example.com>' },
}

/** Requests to the two origins reach the test's gateway. */
const reach =
  (change: (response: Response, url: URL) => Response = (response) => response): typeof fetch =>
  async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== modalOrigin && url.origin !== walletOrigin) return fetch(input, init)
    const response = await app.request(url.href, { ...init, signal: null })
    const headers = new Headers(response.headers)
    headers.set('Date', new Date(at).toUTCString())
    return change(new Response(response.body, { status: response.status, headers }), url)
  }

const healthy: DoctorChecks = {
  addresses: async () => ['8.8.8.8'],
  certificate: async () => ({ until: at + 60 * day, problem: null }),
  txt: async (name) => records[name] ?? [],
  fetch: reach(),
  now: () => at,
  databaseTime: async () => at + 100,
}

async function lines(checks: Partial<DoctorChecks> = {}, changes: Partial<DoctorConfig> = {}): Promise<string[]> {
  return report(await diagnose({ ...config, ...changes }, { ...healthy, ...checks }), false).split('\n')
}

test('a healthy gateway passes every check', async () => {
  const networks: GatewayNetwork[] = [
    { id: 'eip155:10', upstreams: [await upstream('{"jsonrpc":"2.0","id":1,"result":"0xa"}')] },
  ]
  const found = await lines({}, { networks })
  expect(found.filter((line) => !line.startsWith('✓ '))).toEqual([])
  expect(found).toContain('✓ TLS modal.postern.example: the certificate is valid until 2026-07-31')
  expect(found.join('\n')).not.toContain('secret-key')
})

test('a gateway on a developer’s machine passes every check', async () => {
  const local = { modalOrigin: 'http://127.0.0.1:4400', walletOrigin: 'http://localhost:4400' }
  const gateway = await startTestApp({ production: false, ...local })
  closing.push(() => void gateway.close())
  await writeFile(path.join(gateway.walletDir, 'window.html'), '<!doctype html><html><head></head><body></body></html>')
  const found = await lines(
    {
      addresses: async () => ['127.0.0.1'],
      certificate: () => Promise.reject(new Error('no TLS here')),
      fetch: async (input, init) => {
        const response = await gateway.request(String(input), { ...init, signal: null })
        return new Response(response.body, {
          status: response.status,
          headers: { ...Object.fromEntries(response.headers), date: new Date(at).toUTCString() },
        })
      },
    },
    { ...local, production: false, mail: 'terminal' },
  )
  expect(found.filter((line) => !line.startsWith('✓ '))).toEqual([])
  expect(found).toContain('✓ mail: the terminal of the gateway shows it')
})

test('an address needs no name server', async () => {
  for (const host of ['127.0.0.1', 'modal.postern.localhost', 'localhost'])
    expect(await readAddresses(host)).toEqual(['127.0.0.1'])
  expect(await readAddresses('[::1]')).toEqual(['::1'])
})

test('an address of the network of a developer’s machine needs https', async () => {
  expect(
    await lines(
      {},
      { production: false, modalOrigin: 'http://192.168.0.4:4400', walletOrigin: 'http://localhost:4400' },
    ),
  ).toContain('! TLS 192.168.0.4: the origin is http: browsers need https except on localhost')
})

test('prints JSON', async () => {
  const findings = JSON.parse(report(await diagnose(config, healthy), true))
  expect(findings).toContainEqual({
    level: 'ok',
    what: 'two origins',
    text: 'modal.postern.example and wallet.postern.example',
  })
})

describe('whose settings are checked', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'postern-dev-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  test('those of the `gateway dev` that runs in the folder', async () => {
    const env = developmentSettings({ PORT: '4407' }, 4407, folder)
    const forget = await rememberRunning(readConfig(env))
    const found = await doctorSettings({}, folder)
    expect(found.findings).toEqual([])
    expect(readConfig(found.env)).toMatchObject({
      modalOrigin: 'http://127.0.0.1:4407',
      walletOrigin: 'http://localhost:4407',
      mail: 'terminal',
      production: false,
    })
    expect(found.projectId).toBe('dev')
    forget()
    expect((await doctorSettings({}, folder)).projectId).toBe(undefined)
  })

  test('those of the environment, which wins', async () => {
    await rememberRunning(readConfig(developmentSettings({}, 4400, folder)))
    for (const env of [{ MODAL_ORIGIN: 'https://modal.postern.example' }, { NODE_ENV: 'production' }]) {
      expect(await doctorSettings(env, folder)).toEqual({ env, findings: [] })
    }
  })

  test('the default, with a warning', async () => {
    const { env, findings } = await doctorSettings({}, folder)
    expect(env).toEqual({})
    expect(findings).toEqual([
      {
        level: 'warning',
        what: 'settings',
        text: 'MODAL_ORIGIN is not set, and no `gateway dev` runs in this folder, so the default is checked: run doctor with the gateway’s environment, or in the folder of `gateway dev`',
      },
    ])
  })
})

describe('the sites', () => {
  test('a name without an address fails, a private one is a warning', async () => {
    expect(await lines({ addresses: () => Promise.reject(new Error('ENOTFOUND')) })).toContainEqual(
      expect.stringContaining('✗ DNS modal.postern.example: has no address'),
    )
    for (const address of ['10.1.2.3', '127.0.0.1', 'fd00::1', '::ffff:192.168.1.1']) {
      expect(await lines({ addresses: async () => [address] })).toContainEqual(
        expect.stringContaining('! DNS wallet.postern.example'),
      )
    }
  })

  test.each([
    ['✗', { until: at - day, problem: 'CERT_HAS_EXPIRED' }, 'expired on 2026-05-31'],
    ['✗', { until: at + 60 * day, problem: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['!', { until: at + 20 * day, problem: null }, 'expires on 2026-06-21'],
  ])('%s for a certificate %j', async (sign, certificate, text) => {
    expect(await lines({ certificate: async () => certificate })).toContainEqual(
      expect.stringMatching(new RegExp(`^${sign} TLS modal.postern.example: .*${text}`)),
    )
  })

  test('a header that the proxy changed or added fails', async () => {
    const changed = reach((response, { pathname }) => {
      if (pathname === '/window') response.headers.append('Content-Security-Policy', "default-src 'self'")
      else response.headers.set('X-Frame-Options', 'DENY')
      return response
    })
    const found = await lines({ fetch: changed })
    expect(found).toContainEqual(
      expect.stringContaining('✗ headers wallet.postern.example/window: Content-Security-Policy'),
    )
    expect(found).toContainEqual(expect.stringContaining('✗ headers modal.postern.example/: X-Frame-Options'))
  })

  test('the wallet’s page needs a project', async () => {
    expect(await lines({}, { projectId: undefined })).toContainEqual(
      '! headers wallet.postern.example/window: not checked: name a project with --project',
    )
    expect(await lines({}, { projectId: 'none' })).toContainEqual(
      expect.stringContaining('✗ headers wallet.postern.example/window: the page answers 404'),
    )
  })

  test('one host for both, or the wallet’s page on the modal’s origin, fails', async () => {
    expect(await lines({}, { walletOrigin: modalOrigin })).toContainEqual(
      expect.stringContaining('✗ two origins: are one host'),
    )
    const found = await lines({
      fetch: reach((response, url) => (url.pathname === '/window' ? new Response('') : response)),
    })
    expect(found).toContainEqual(expect.stringContaining('✗ two origins: modal.postern.example serves the wallet'))
  })

  test.each([
    ['https://modal.one.co.uk', 'https://wallet.other.co.uk'],
    ['https://one.github.io', 'https://other.github.io'],
  ])('%s and %s are two sites', async (modal, wallet) => {
    expect(await lines({}, { modalOrigin: modal, walletOrigin: wallet })).toContainEqual(
      expect.stringContaining('look like two sites'),
    )
  })

  test('two hosts under one domain of a country are one site', async () => {
    const found = await lines({}, { modalOrigin: 'https://modal.one.co.uk', walletOrigin: 'https://wallet.one.co.uk' })
    expect(found.join()).not.toContain('look like two sites')
  })

  test('a gateway without its database, or none at all, fails', async () => {
    const down = reach((response, url) => (url.pathname === '/ready' ? new Response('', { status: 503 }) : response))
    expect(await lines({ fetch: down })).toContainEqual(
      expect.stringContaining('✗ gateway modal.postern.example: does not reach its database'),
    )
    const found = await lines({ fetch: () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })) })
    expect(found).toContainEqual(
      '✗ gateway wallet.postern.example: does not answer (ECONNREFUSED): start it, and point the proxy to it',
    )
    const refuse = () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))
    expect(await lines({ fetch: refuse }, { production: false })).toContainEqual(
      '✗ gateway wallet.postern.example: does not answer (ECONNREFUSED): start it',
    )
  })
})

describe('a certificate', () => {
  test('of a local server is read, also if it is not trusted', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'postern-tls-'))
    const [key, cert] = [path.join(dir, 'key.pem'), path.join(dir, 'cert.pem')]
    const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 9 -subj /CN=localhost'
    execFileSync('openssl', [...words.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const server = createTlsServer({ key: await readFile(key), cert: await readFile(cert) }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const { until, problem } = await readCertificate('localhost', port)
    const notAfter = execFileSync('openssl', ['x509', '-enddate', '-noout', '-in', cert], { encoding: 'utf8' })
    expect(until).toBe(Date.parse(notAfter.replace('notAfter=', '')))
    expect(problem).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    server.close()
    await rm(dir, { recursive: true })
    await expect(readCertificate('localhost', port)).rejects.toThrow()
  })

  test('is not read from a server without TLS', async () => {
    const server = createTcpServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400\r\n\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await expect(readCertificate('127.0.0.1', (server.address() as AddressInfo).port)).rejects.toThrow()
    server.close()
  })
})

describe('mail', () => {
  const withRecords = (changes: Readonly<Record<string, readonly string[]>>) =>
    lines({ txt: async (name) => ({ ...records, ...changes })[name] ?? [] })

  test('missing records fail', async () => {
    const found = await lines({ txt: () => Promise.reject(new Error('ENODATA')), dkimSelector: 'own' })
    for (const kind of ['SPF', 'DKIM', 'DMARC']) {
      expect(found).toContainEqual(expect.stringContaining(`✗ ${kind} mail.example.com: no `))
    }
  })

  test('records that do not protect', async () => {
    expect(await withRecords({ 'mail.example.com': ['v=spf1 +all'] })).toContainEqual(expect.stringContaining('✗ SPF'))
    expect(await withRecords({ 'mail.example.com': ['v=spf1 -all', 'v=spf1 ~all'] })).toContainEqual(
      expect.stringContaining('✗ SPF mail.example.com: 2 records'),
    )
    // The registry's own policy is not the sender's.
    expect(
      await lines(
        { txt: async (name) => (name === '_dmarc.co.uk' ? ['v=DMARC1; p=reject'] : []) },
        { mail: { from: 'no-reply@example.co.uk' } },
      ),
    ).toContainEqual(expect.stringContaining('✗ DMARC example.co.uk'))
    expect(await withRecords({ '_dmarc.mail.example.com': ['v=DMARC1; p=none'] })).toContainEqual(
      expect.stringContaining('! DMARC'),
    )
    expect(await withRecords({ 'default._domainkey.mail.example.com': ['v=DKIM1; p='] })).toContainEqual(
      expect.stringContaining('! DKIM mail.example.com: no key at the usual selectors'),
    )
  })

  test('without a mail server is a warning', async () => {
    expect(await lines({}, { mail: undefined })).toContainEqual(
      expect.stringContaining('! mail: no mail server in SMTP_URL'),
    )
  })
})

test('an upstream of another chain, or with no answer, fails; one of two is a warning', async () => {
  const good = await upstream('{"jsonrpc":"2.0","id":1,"result":"0xa"}')
  const closed = 'http://127.0.0.1:1/secret-key'
  const genesis = await upstream('000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f')
  const solana = await upstream('{"jsonrpc":"2.0","id":1,"result":"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"}')
  const networks: GatewayNetwork[] = [
    { id: 'eip155:1', upstreams: [good] },
    { id: 'eip155:2', upstreams: [closed] },
    { id: 'eip155:10', upstreams: [good, closed] },
    { id: 'eip155:3', upstreams: [await upstream('<html>')] },
    { id: 'bip122:000000000019d6689c085ae165831e93', upstreams: [genesis] },
    { id: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', upstreams: [solana] },
  ]
  const found = (await lines({}, { networks })).filter((line) => line.includes(' upstream '))
  expect(found.map((line) => line.replace(/127\.0\.0\.1:\d+/g, 'host'))).toEqual([
    '✗ upstream eip155:1: host: is eip155:10. Correct its address in POSTERN_NETWORKS',
    expect.stringMatching(/^✗ upstream eip155:2: host: \S.*\. Name another one in POSTERN_NETWORKS$/),
    expect.stringMatching(/^! upstream eip155:10: host: /),
    '✗ upstream eip155:3: host: not an answer of a node. Name another one in POSTERN_NETWORKS',
    '✓ upstream bip122:000000000019d6689c085ae165831e93: host',
    '✓ upstream solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp: host',
  ])
  expect(found.join('\n')).not.toContain('secret-key')
})

test('a clock that is off fails', async () => {
  expect(await lines({ databaseTime: async () => at - 60_000 })).toContainEqual(
    '✗ clock of the database: differs from this machine’s by 60 s: let NTP set both',
  )
  expect(await lines({ databaseTime: () => Promise.reject(new Error('down')) })).toContainEqual(
    expect.stringContaining('✗ clock of the database: not read'),
  )
  expect(await lines({ now: () => at - 20_000 })).toContainEqual(expect.stringContaining('✗ clock of the gateway'))
})

test('public metrics fail', async () => {
  const open = reach((response, url) =>
    url.pathname === '/metrics' ? new Response('# HELP postern_requests_total x\n') : response,
  )
  expect(await lines({ fetch: open })).toContainEqual(
    `✗ metrics: ${modalOrigin}/metrics is public: set METRICS_HOST=127.0.0.1, or close the port`,
  )
})
