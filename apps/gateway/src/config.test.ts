import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config'
import { warnOfPublicUpstreams } from './config-production'
import { newSecretKeys } from './platform/secrets/secrets'
import { ConfigError } from './platform/settings/config-error'

const secrets = newSecretKeys()
const production = {
  NODE_ENV: 'production',
  POSTERN_SECRETS: JSON.stringify(secrets),
  MODAL_ORIGIN: 'https://modal.example.com',
  WALLET_ORIGIN: 'https://wallet.example.com',
  DATABASE_URL: 'postgresql://postern@db/postern',
  SMTP_URL: 'smtps://mail.example.com',
  MAIL_FROM: 'My dapp <sign-in@example.com>',
}
const devnet = { id: 'eip155:31337', name: 'Devnet', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } }

describe('readConfig', () => {
  test('takes the most that a sponsored operation may cost, also by network', () => {
    const read = (text: string) => readConfig({ PAYMASTER_MAX_PER_OPERATION: text }).operationBudgets.paymaster
    expect(read('0.02')).toMatchObject({ maxWeiPerOperation: 2n * 10n ** 16n })
    expect(read('0.02,137=5,10=0.1')).toMatchObject({
      maxWeiPerOperation: 2n * 10n ** 16n,
      maxWeiByNetwork: new Map([
        ['eip155:137', 5n * 10n ** 18n],
        ['eip155:10', 10n ** 17n],
      ]),
    })
    expect(read('137=5')).not.toHaveProperty('maxWeiPerOperation')
    for (const wrong of ['1,2', '0137=5', '137=5,137=6', '137=', '=5', '0.02, 137=5', '-1', '0.02,'])
      expect(() => read(wrong)).toThrow('PAYMASTER_MAX_PER_OPERATION')
  })

  test('needs no variables in development', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      host: '127.0.0.1',
      port: 4400,
      modalOrigin: 'http://modal.postern.localhost:4400',
      walletOrigin: 'http://wallet.postern.localhost:4400',
      trustedProxies: 0,
      regionHeader: null,
      relayUrl: 'wss://relay.walletconnect.org',
      seed: [],
    })
  })

  test('derives the origin from the port in development, and ignores empty variables', () => {
    expect(readConfig({ PORT: '4621', DATABASE_URL: '', MODAL_ORIGIN: '' }).modalOrigin).toBe(
      'http://modal.postern.localhost:4621',
    )
  })

  test('accepts a loopback relay in development', () => {
    const relayUrl = 'ws://127.0.0.1:8550'
    expect(readConfig({ WALLETCONNECT_RELAY_URL: relayUrl }).relayUrl).toBe(relayUrl)
  })

  test('reads secrets as JSON or from a file, and never prints their values', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'postern-config-'))
    const file = path.join(dir, 'secrets.json')
    await writeFile(file, JSON.stringify(secrets))
    expect(readConfig({ POSTERN_SECRETS: file }).secrets).toEqual(secrets)
    expect(readConfig({ POSTERN_SECRETS: JSON.stringify(secrets) }).secrets).toEqual(secrets)
    expect(readConfig({}).secrets).toBeUndefined()
    const hush = 'hush'.repeat(8)
    await writeFile(
      file,
      JSON.stringify({ ...secrets, code: [{ id: hush, key: hush }], [secrets.code[0]?.key ?? '']: 1 }),
    )
    expect(() => readConfig({ POSTERN_SECRETS: file })).toThrow(/POSTERN_SECRETS\.code\[0\]\.key: must be 32 bytes/)
    expect(() => readConfig({ POSTERN_SECRETS: file })).not.toThrow(hush)
    expect(() => readConfig({ POSTERN_SECRETS: file })).not.toThrow(secrets.code[0]?.key ?? '')
    await rm(dir, { recursive: true })
  })

  test('sends no email without SMTP_URL, and requires TLS in production', () => {
    expect(readConfig({}).mail).toBeUndefined()
    const url = 'smtp://127.0.0.1:8552'
    expect(readConfig({ SMTP_URL: url }).mail).toEqual({
      url,
      from: 'Postern <sign-in@postern.localhost>',
      requireTls: false,
    })
    const from = 'My dapp <sign-in@example.com>'
    expect(readConfig({ SMTP_URL: 'terminal' }).mail).toBe('terminal')
    const mailIn = (SMTP_URL: string) => readConfig({ ...production, SMTP_URL, MAIL_FROM: from }).mail
    expect(mailIn('smtp://user:password@mail.example.com:587')).toMatchObject({ from, requireTls: true })
    expect(mailIn('smtp://localhost')).toMatchObject({ requireTls: false })
  })

  test('listens on all interfaces in production', () => {
    expect(readConfig(production)).toMatchObject({ production: true, host: '0.0.0.0' })
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ['an invalid port', { PORT: '80x' }, /PORT must be a whole number/],
    ['a port out of range', { PORT: '99999' }, /PORT must be at most 65535/],
    ['an origin with a slash', { MODAL_ORIGIN: 'https://modal.example.com/' }, /MODAL_ORIGIN must be an origin/],
    ['an origin of another kind', { MODAL_ORIGIN: 'ftp://modal.example.com' }, /MODAL_ORIGIN must be an origin/],
    ['no origin in production', { NODE_ENV: 'production' }, /MODAL_ORIGIN must be set.*\n.*WALLET_ORIGIN must be set/],
    ['http in production', { ...production, MODAL_ORIGIN: 'http://modal.example.com' }, /MODAL_ORIGIN must be https/],
    ['one host for both', { ...production, WALLET_ORIGIN: production.MODAL_ORIGIN }, /WALLET_ORIGIN must have another/],
    [
      'a relay of another kind',
      { WALLETCONNECT_RELAY_URL: 'https://relay.example.com' },
      /RELAY_URL must be a wss or ws/,
    ],
    ['a relay with a password', { WALLETCONNECT_RELAY_URL: 'wss://me:secret@relay.example.com' }, /must have no user/],
    ['a relay that says more', { WALLETCONNECT_RELAY_URL: 'wss://a.example;script-src' }, /WALLETCONNECT_RELAY_URL/],
    [
      'a relay without TLS in production',
      { ...production, WALLETCONNECT_RELAY_URL: 'ws://relay.example.com' },
      /WALLETCONNECT_RELAY_URL must be wss in production/,
    ],
    ['no secrets in production', { ...production, POSTERN_SECRETS: '' }, /POSTERN_SECRETS must be set in production/],
    ['secrets that are no JSON', { POSTERN_SECRETS: '{hush' }, /POSTERN_SECRETS is not valid JSON$/],
    [
      'secrets that are no file',
      { POSTERN_SECRETS: 'hush' },
      /POSTERN_SECRETS must be JSON, or a file that can be read$/,
    ],
    [
      'secrets that share a key',
      { POSTERN_SECRETS: JSON.stringify({ ...secrets, code: secrets.email }) },
      /one key serves two purposes/,
    ],
    ['mail by another way', { SMTP_URL: 'https://mail.example.com' }, /SMTP_URL must be an smtp or smtps URL/],
    ['mail to the terminal in production', { ...production, SMTP_URL: 'terminal' }, /SMTP_URL must be a mail server/],
    ['mail without a sender in production', { ...production, MAIL_FROM: '' }, /MAIL_FROM must be set in production/],
    ['a sender that says more', { MAIL_FROM: 'a@example.com\nBcc: b@example.com' }, /MAIL_FROM must be/],
    ['another database', { DATABASE_URL: 'mysql://user:secret@db/x' }, /DATABASE_URL must begin with postgres/],
    ...['hush#1', 'hush/1', '4#hush', '4/hush', '4?hush'].map((password): [string, Record<string, string>, RegExp] => [
      `the password ${password} in the URL of the database`,
      { DATABASE_URL: `postgresql://postern:${password}@db/postern` },
      /DATABASE_URL must be a postgresql:\/\/ URL: write special characters of the password as %23, not #/,
    ]),
    ['a burst that no batch fits', { RPC_RATE_BURST: '10' }, /RPC_RATE_BURST must be at least 1000/],
    ['a project that may ask nothing', { RPC_RATE_PER_PROJECT: '0' }, /RPC_RATE_PER_PROJECT must be/],
    ['networks that are no JSON', { POSTERN_NETWORKS: '["hush' }, /POSTERN_NETWORKS is not valid JSON/],
    [
      'a file that is not there',
      { POSTERN_NETWORKS: '/nowhere/networks.json' },
      /POSTERN_NETWORKS must be JSON, or a file that can be read/,
    ],
    ['a network without endpoints', { POSTERN_NETWORKS: JSON.stringify([devnet]) }, /eip155:31337 needs upstreams/],
    [
      'upstreams for an undefined network',
      { POSTERN_NETWORKS: '[{"id":"eip155:31337","upstreams":["http://127.0.0.1:8545"]}]' },
      /eip155:31337 is not built in/,
    ],
    [
      'an upstream with a name and a password',
      { POSTERN_NETWORKS: '[{"id":"eip155:1","upstreams":["https://user:secret@node.example.com/key"]}]' },
      /POSTERN_NETWORKS\[0\]\.upstreams\[0\]: has user:password@/,
    ],
    [
      'an upstream with a name alone',
      { POSTERN_NETWORKS: JSON.stringify([{ ...devnet, upstreams: ['https://secret@node.example.com'] }]) },
      /POSTERN_NETWORKS\[0\]\.\w+\[0\]: has user:password@/,
    ],
    [
      'an endpoint for browsers with a password',
      {
        POSTERN_NETWORKS: JSON.stringify([
          { ...devnet, upstreams: ['http://127.0.0.1:8545'], rpcUrls: ['https://user:secret@node.example.com'] },
        ]),
      },
      /POSTERN_NETWORKS\[0\]\.\w+\[0\]: has user:password@/,
    ],
    [
      'one network while another one has no id',
      { POSTERN_NETWORKS: '[{}, {"id":"eip155:1","upstreams":["https://user:secret@node.example.com"]}]' },
      /POSTERN_NETWORKS\[0\]\.id: must be the id.*\n.*POSTERN_NETWORKS\[1\]\.upstreams\[0\]: has user/,
    ],
    ['a project without a name', { POSTERN_SEED: '[{"id":"demo"}]' }, /POSTERN_SEED\[0\]\.name: Required/],
    [
      'a project with a wrong origin',
      { POSTERN_SEED: '[{"id":"demo","name":"Demo","allowedOrigins":["example"]}]' },
      /"example" is not an origin/,
    ],
  ])('says what is wrong with %s', (_, env, message) => {
    expect(() => readConfig(env)).toThrow(ConfigError)
    expect(() => readConfig(env)).toThrow(message)
    expect(() => readConfig(env)).not.toThrow(/secret@|hush/)
  })

  test('reports every invalid variable at once', () => {
    const wrong = { PORT: 'x', LOG_LEVEL: 'loud', TRUSTED_PROXIES: '-1' }
    for (const name of Object.keys(wrong)) expect(() => readConfig(wrong)).toThrow(name)
  })

  test('lists everything that production misses at once, with the fix, beside what is invalid', () => {
    const missing = ['MODAL_ORIGIN', 'WALLET_ORIGIN', 'DATABASE_URL', 'POSTERN_SECRETS', 'SMTP_URL', 'MAIL_FROM']
    let problems: readonly string[] = []
    try {
      readConfig({ NODE_ENV: 'production', LOG_LEVEL: 'loud', POSTERN_NETWORKS: '[' })
    } catch (error) {
      if (error instanceof ConfigError) problems = error.problems
    }
    expect(problems.slice(0, missing.length).map((problem) => problem.split(' ')[0])).toEqual(missing)
    for (const problem of problems.slice(0, missing.length)) expect(problem).toMatch(/such as|POSTERN_DATA|makes them/)
    expect(problems.slice(missing.length)).toEqual([
      expect.stringMatching(/^LOG_LEVEL must be/),
      expect.stringMatching(/^POSTERN_NETWORKS is/),
    ])
  })

  test('does not call an invalid setting missing', () => {
    const wrong = { ...production, MODAL_ORIGIN: 'modal', DATABASE_URL: 'mysql://db/x', SMTP_URL: 'mail' }
    expect(() => readConfig(wrong)).not.toThrow(/must be set/)
    expect(() => readConfig(wrong)).toThrow(/MODAL_ORIGIN must be an origin.*\n.*DATABASE_URL.*\n.*SMTP_URL/)
  })

  test('starts in production on an explicit data folder, or without mail if that is said', () => {
    expect(readConfig({ ...production, DATABASE_URL: '', POSTERN_DATA: '/var/lib/postern' })).toMatchObject({
      dataDir: '/var/lib/postern',
    })
    expect(readConfig({ ...production, SMTP_URL: 'off', MAIL_FROM: '' }).mail).toBeUndefined()
  })

  test.each([
    'postgresql://postern:hush%23%2F%40@db:5432/postern?sslmode=require',
    'postgres://postern:p@ss@db/postern',
    'postgresql://postern@%2Frun%2Fpostgresql/postern',
    'postgresql:///postern?host=/run/postgresql',
    'postgresql://db/postern?user=postern%40server',
  ])('accepts the database %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
  })

  test('warns of networks that are left on public endpoints, and of no others', () => {
    const warned: unknown[] = []
    const log = { warn: (...line: unknown[]) => void warned.push(line) }
    const own = [{ id: 'eip155:1', upstreams: ['https://node.example.com'] }]
    const { networks } = readConfig({ ...production, POSTERN_NETWORKS: JSON.stringify(own) })
    warnOfPublicUpstreams(networks, log)
    expect(warned).toHaveLength(1)
    expect(JSON.stringify(warned)).toContain('eip155:10')
    expect(JSON.stringify(warned)).not.toContain('"eip155:1"')
    warnOfPublicUpstreams(networks.slice(0, 0), log)
    expect(warned).toHaveLength(1)
  })

  test('serves metrics on a port of their own, or not at all', () => {
    expect(readConfig({}).metrics).toBeUndefined()
    expect(readConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
    expect(() => readConfig({ PORT: '9464', METRICS_PORT: '9464' })).toThrow('METRICS_PORT must be another port')
  })

  test('serves the admin API on a port of its own with tokens, or not at all', () => {
    const token = 'x'.repeat(32)
    expect(readConfig({}).admin).toBeUndefined()
    expect(readConfig({ POSTERN_ADMIN_PORT: '4481' }).admin).toBeUndefined()
    expect(readConfig({ POSTERN_ADMIN_TOKEN: token }).admin).toEqual({
      host: '127.0.0.1',
      port: 4480,
      origin: 'http://127.0.0.1:4480',
      operators: [{ name: 'admin', role: 'admin', token }],
    })
    const list = [{ name: 'vic', role: 'viewer', token }]
    expect(readConfig({ POSTERN_ADMIN_TOKENS: JSON.stringify(list) }).admin?.operators).toEqual(list)
    const fails = (env: Record<string, string>, message: string) => expect(() => readConfig(env)).toThrow(message)
    fails({ POSTERN_ADMIN_TOKEN: 'x'.repeat(31) }, 'POSTERN_ADMIN_TOKEN must be 32 characters or more')
    fails({ POSTERN_ADMIN_TOKEN: '/none' }, 'POSTERN_ADMIN_TOKEN names a file that cannot be read')
    fails({ POSTERN_ADMIN_TOKENS: '{' }, 'POSTERN_ADMIN_TOKENS')
    fails(
      { POSTERN_ADMIN_TOKENS: JSON.stringify([{ name: 'a', role: 'owner', token }]) },
      'POSTERN_ADMIN_TOKENS[0].role: must be viewer or admin',
    )
    fails({ POSTERN_ADMIN_TOKEN: token, POSTERN_ADMIN_TOKENS: JSON.stringify(list) }, 'a token of its own')
    fails(
      { POSTERN_ADMIN_TOKEN: token, POSTERN_ADMIN_ORIGIN: 'http://console.example.com' },
      'POSTERN_ADMIN_ORIGIN must be an https URL',
    )
    fails({ POSTERN_ADMIN_TOKEN: token, PORT: '4480' }, 'POSTERN_ADMIN_PORT must be another port')
    try {
      readConfig({ POSTERN_ADMIN_TOKENS: JSON.stringify([{ name: 'a', role: 'owner', token: 'secret text' }]) })
    } catch (error) {
      expect(String(error)).not.toContain('secret text')
    }
  })

  test('signs operators in at an OpenID provider, beside tokens or without', () => {
    const rules = [{ claim: 'groups', value: 'CN=admins,OU=it', role: 'admin' }]
    const env = {
      POSTERN_ADMIN_OIDC_ISSUER: 'https://id.example.com/realms/staff',
      POSTERN_ADMIN_OIDC_CLIENT_ID: 'console',
      POSTERN_ADMIN_OIDC_CLIENT_SECRET: 'secret text',
      POSTERN_ADMIN_OIDC_ROLES: JSON.stringify(rules),
    }
    expect(readConfig(env).admin).toEqual({
      host: '127.0.0.1',
      port: 4480,
      origin: 'http://127.0.0.1:4480',
      operators: [],
      oidc: {
        issuer: 'https://id.example.com/realms/staff',
        clientId: 'console',
        clientSecret: 'secret text',
        scope: 'openid email',
        roles: rules,
      },
    })
    const origin = 'https://console.example.com'
    expect(readConfig({ ...env, POSTERN_ADMIN_ORIGIN: origin }).admin?.origin).toBe(origin)
    expect(readConfig({ ...env, POSTERN_ADMIN_OIDC_ISSUER: 'http://127.0.0.1:9000' }).admin?.oidc).toBeDefined()
    expect(readConfig({ ...env, POSTERN_ADMIN_TOKEN: 'x'.repeat(32) }).admin?.operators).toHaveLength(1)
    const fails = (more: Record<string, string>, message: string) => {
      expect(() => readConfig({ ...env, ...more })).toThrow(message)
      expect(() => readConfig({ ...env, ...more })).not.toThrow('secret text')
    }
    fails({ POSTERN_ADMIN_OIDC_ROLES: '' }, 'POSTERN_ADMIN_OIDC_ROLES must be set')
    fails({ POSTERN_ADMIN_OIDC_CLIENT_SECRET: '' }, 'POSTERN_ADMIN_OIDC_CLIENT_SECRET must be set')
    fails({ POSTERN_ADMIN_OIDC_CLIENT_SECRET: '/none' }, 'names a file that cannot be read')
    fails({ POSTERN_ADMIN_OIDC_ROLES: '[]' }, 'must have an entry')
    fails({ POSTERN_ADMIN_OIDC_ROLES: '[{"claim":"groups","value":"","role":"admin"}]' }, '[0].value')
    fails({ POSTERN_ADMIN_OIDC_ROLES: '[{"claim":"groups","value":"a","role":"owner"}]' }, '[0].role')
    fails({ POSTERN_ADMIN_OIDC_ISSUER: 'http://id.example.com' }, 'POSTERN_ADMIN_OIDC_ISSUER must be an https URL')
    fails({ POSTERN_ADMIN_OIDC_ISSUER: 'https://a:b@id.example.com' }, 'must have no query')
    fails({ POSTERN_ADMIN_ORIGIN: 'http://console.example.com' }, 'POSTERN_ADMIN_ORIGIN must be an https URL')
    fails({ POSTERN_ADMIN_ORIGIN: 'https://console.example.com/' }, 'POSTERN_ADMIN_ORIGIN must be an origin')
    fails({ POSTERN_ADMIN_OIDC_SCOPE: 'email' }, 'POSTERN_ADMIN_OIDC_SCOPE must contain openid')
    fails({ PORT: '4480' }, 'POSTERN_ADMIN_PORT must be another port')
  })

  test('trusts a region header only behind a proxy', () => {
    expect(() => readConfig({ REGION_HEADER: 'CF-IPCountry' })).toThrow('REGION_HEADER needs TRUSTED_PROXIES')
    expect(() => readConfig({ REGION_HEADER: 'a b', TRUSTED_PROXIES: '1' })).toThrow('REGION_HEADER')
    expect(readConfig({ REGION_HEADER: 'CF-IPCountry', TRUSTED_PROXIES: '1' }).regionHeader).toBe('CF-IPCountry')
  })

  test('includes the built-in networks, and does not expose their upstreams', () => {
    const ethereum = readConfig({}).networks.find(({ id }) => id === 'eip155:1')
    expect(ethereum?.upstreams.length).toBeGreaterThan(0)
    expect(ethereum?.definition).toBeUndefined()
  })

  test('accepts additional networks, and other upstreams for built-in ones', () => {
    const upstreams = ['http://127.0.0.1:8545/operators-key']
    const networks = [
      { ...devnet, upstreams },
      { id: 'eip155:1', upstreams },
    ]
    const config = readConfig({ POSTERN_NETWORKS: JSON.stringify(networks) })
    expect(config.networks.find(({ id }) => id === 'eip155:31337')).toEqual({
      id: 'eip155:31337',
      upstreams,
      definition: devnet,
    })
    expect(config.networks.find(({ id }) => id === 'eip155:1')).toEqual({ id: 'eip155:1', upstreams })
  })

  test("uses a definition's public endpoints as upstreams if it has no others", () => {
    const rpcUrls = ['http://127.0.0.1:8545']
    const config = readConfig({ POSTERN_NETWORKS: JSON.stringify([{ ...devnet, rpcUrls }]) })
    expect(config.networks.find(({ id }) => id === 'eip155:31337')).toMatchObject({
      upstreams: rpcUrls,
      definition: { rpcUrls },
    })
  })

  test('reads networks and projects from files', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'postern-config-'))
    const file = path.join(dir, 'seed.json')
    await writeFile(file, JSON.stringify([{ id: 'demo', name: 'Demo', allowedOrigins: ['HTTPS://App.Example.com'] }]))
    expect(readConfig({ POSTERN_SEED: file }).seed).toEqual([
      {
        id: 'demo',
        name: 'Demo',
        allowedOrigins: ['https://app.example.com'],
        features: {},
        analytics: { enabled: true, consent: true, addresses: false },
        analyticsDays: null,
        walletConnect: null,
        signInChains: null,
        recoveryWaitHours: 0,
        recovery: 'any',
        recoveryChoice: 'later',
        approvals: { place: 'auto', trustedOrigins: [], windowAboveUsd: null },
        mail: { sender: null, replyTo: null, brand: null, color: null, footer: null },
        mailTexts: {},
        look: {},
      },
    ])
    await rm(dir, { recursive: true })
  })
})
