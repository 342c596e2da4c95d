import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { HttpBindings } from '@hono/node-server'
import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { composeAdminApp } from '../../admin-server'
import { createLog } from '../../platform/log/log'
import { createMetrics } from '../../platform/metrics/metrics'
import { createDirectory } from '../../site/directory'
import { startTestApp, type TestApp } from '../../testing/app'
import { noon } from '../../testing/clock'
import { ownDevice, ownKey, thumbprintOf } from '../../testing/sign-in'
import type { OperatorToken } from './config'
import { adminOperations } from './operations'
import type { OperatorEnv } from './operators'

const admin: OperatorToken = { name: 'ann', role: 'admin', token: 'a'.repeat(32) }
const viewer: OperatorToken = { name: 'vic', role: 'viewer', token: 'v'.repeat(40) }
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const solana = 'So11111111111111111111111111111111111111112'

const directory = createDirectory({
  wallets: Array.from({ length: 45 }, (_, index) => ({
    id: `wallet-${index}`,
    name: `Wallet ${index}`,
    ...(index === 7 && {
      rdns: 'com.example.w7',
      chains: ['eip155:1', 'eip155:10', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
      explorer_ids: ['f'.repeat(64)],
      homepage: 'https://w7.example.com',
      badge_type: 'certified' as const,
      mobile_link: 'w7://',
    }),
  })),
  icons: { wallets: new Map(), networks: new Map(), currencies: new Map(), tokens: new Map() },
})

let app: TestApp
let api: Hono<OperatorEnv>
let logged = ''

beforeEach(async () => {
  app = await startTestApp()
  logged = ''
  const log = createLog('trace', {
    write(line: string) {
      logged += line
    },
  })
  api = composeAdminApp(
    {
      trustedProxies: 0,
      networks: [],
      modalOrigin: 'https://modal.postern.example',
      consoleDir: '/none',
      sdkDir: app.sdkDir,
    },
    { host: '127.0.0.1', port: 0, origin: 'https://console.example.com', operators: [admin, viewer] },
    { database: app.database, projects: app.projects, auth: app.auth, directory, now: () => noon },
    createMetrics(null),
    log,
  )
})
afterEach(() => app.close())

const bindings = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } }) as unknown as HttpBindings

type CallOptions = {
  readonly token?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly from?: string
}

async function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const { token = admin.token, body, headers = {}, from = '203.0.113.7' } = options
  return api.request(
    `http://127.0.0.1:4480/admin/v1${path}`,
    {
      method,
      headers: {
        Host: '127.0.0.1:4480',
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    bindings(from),
  )
}

const read = async <T extends z.ZodMiniType>(schema: T, response: Response): Promise<z.output<T>> => {
  expect(response.status).toBe(200)
  return schema.parse(await response.json())
}

const Ids = z.array(z.looseObject({ id: z.string() }))
const Entries = z.array(
  z.looseObject({ id: z.int(), actor: z.string(), action: z.string(), target: z.nullable(z.string()) }),
)
const audit = async () => read(Entries, await call('GET', '/audit'))

/** A user who signed in by email and has a wallet with shares. */
async function addUser(email = 'user@example.com') {
  const device = await ownDevice()
  const signedIn = await app.auth.sessions.signIn(
    { provider: 'email', subject: email, email, userName: null },
    device,
    'demo',
  )
  const session = await app.auth.sessions.open(signedIn.sessionToken, await thumbprintOf(ownKey))
  const { userId, deviceId } = session
  await app.database.orm.execute(sql`
    insert into wallets (user_id, eip155, solana, bip122, recovery, created_at)
    values (${userId}, ${address}, ${solana}, '02', '{"method":"gateway"}', now())`)
  await app.database.orm.execute(sql`
    insert into auth_shares (user_id, device_id, device_name, sealed, proof_hash, created_at, used_at)
    values (${userId}, ${deviceId}, 'Laptop', 'SEALED-AUTH-SHARE', 'PROOF-HASH', now(), now())`)
  await app.database.orm.execute(sql`
    insert into recovery_shares (user_id, device_id, sealed) values (${userId}, ${deviceId}, 'SEALED-RECOVERY-SHARE')`)
  await app.database.orm.execute(sql`
    insert into share_keys (user_id, auth, recovery, created_at) values (${userId}, 'AUTH-KEY', 'RECOVERY-KEY', now())`)
  return { userId, deviceId, email, device, token: signedIn.sessionToken }
}

describe('access', () => {
  test('every route needs a token, but the OpenAPI document', async () => {
    for (const { method, path } of adminOperations) {
      const response = await call(method.toUpperCase(), path.replace('{id}', 'demo'), {
        token: null,
        from: `203.0.113.${adminOperations.findIndex((operation) => operation.path === path)}`,
      })
      expect([path, response.status]).toEqual([path, 401])
    }
    expect((await call('GET', '/openapi.json', { token: null })).status).toBe(200)
  })

  test('a wrong token is 401, in a cookie, a query and another scheme too', async () => {
    expect((await call('GET', '/me', { token: 'w'.repeat(32) })).status).toBe(401)
    expect((await call('GET', '/me', { token: `${admin.token}a` })).status).toBe(401)
    expect((await call('GET', '/me', { token: admin.token.slice(1) })).status).toBe(401)
    expect((await call('GET', `/me?token=${admin.token}`, { token: null })).status).toBe(401)
    expect((await call('GET', '/me', { token: null, headers: { Cookie: `token=${admin.token}` } })).status).toBe(401)
    const basic = await call('GET', '/me', { token: null, headers: { Authorization: `Basic ${admin.token}` } })
    expect(basic.status).toBe(401)
    expect((await call('GET', '/me')).status).toBe(200)
  })

  test('limits wrong tokens by network address, and never a right one', async () => {
    for (let count = 0; count < 10; count += 1) {
      expect((await call('GET', '/me', { token: 'w'.repeat(32) })).status).toBe(401)
    }
    const refused = await call('GET', '/me', { token: 'w'.repeat(32) })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect((await call('GET', '/me', { token: 'w'.repeat(32), from: '198.51.100.1' })).status).toBe(401)
    expect((await call('GET', '/me')).status).toBe(200)
  })

  test('a viewer reads, and changes nothing', async () => {
    const { userId } = await addUser()
    for (const { method, path, role } of adminOperations.filter((operation) => operation.role === 'admin')) {
      const id = path.startsWith('/users') ? userId : 'demo'
      const response = await call(method.toUpperCase(), path.replace('{id}', id), {
        token: viewer.token,
        body: method === 'get' ? undefined : {},
      })
      expect([role, method, path, response.status]).toEqual(['admin', method, path, 403])
    }
    expect(await app.projects.find('demo')).not.toBeNull()
    expect((await call('GET', `/users/${userId}`, { token: viewer.token })).status).toBe(200)
    expect((await audit()).map(({ action }) => action)).toEqual(['user.view'])
  })

  test('a page of another origin is refused with a token, and there is no CORS', async () => {
    for (const headers of [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'null' },
    ]) {
      const response = await call('POST', '/projects', { body: { name: 'Evil' }, headers })
      expect(response.status).toBe(403)
      expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    }
    const preflight = await call('OPTIONS', '/projects', {
      token: null,
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
    })
    expect(preflight.ok).toBe(false)
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    const own = await call('GET', '/me', {
      headers: { Origin: 'http://127.0.0.1:4480', 'Sec-Fetch-Site': 'same-origin' },
    })
    expect(own.status).toBe(200)
    expect(own.headers.get('Cache-Control')).toBe('no-store')
  })

  test.each([
    ['evil.test:4480', 421],
    ['evil.test', 421],
    ['127.0.0.1.evil.test:4480', 421],
    ['localhost.evil.test', 421],
    ['console.example.com.evil.test', 421],
    ['192.168.0.4:4480', 421],
    ['gateway-1:4480', 421],
    ['', 421],
    ['console.example.com', 200],
    ['127.0.0.1:9999', 200],
    ['localhost:4480', 200],
    ['[::1]:4480', 200],
    ['console.localhost:4480', 200],
  ])('answers under its own name and those of this machine only: %s', async (host, status) => {
    const headers = { Host: host, Origin: `http://${host}` }
    expect((await call('GET', '/me', { headers })).status).toBe(status)
    for (const path of ['/', '/assets/console.js', '/admin/v1/openapi.json', '/admin/v1/sign-in']) {
      const response = await api.request(`http://127.0.0.1:4480${path}`, { headers }, bindings('203.0.113.7'))
      expect([path, response.status === 421]).toEqual([path, status === 421])
    }
  })

  test('gives the script tag pinned, once the build is released', async () => {
    const tag = async () => (await call('GET', '/script-tag', { token: viewer.token })).json()
    const src = 'https://modal.postern.example/postern.js'
    expect(await tag()).toEqual({ src, integrity: null })
    const write = (version: string) =>
      writeFile(
        path.join(app.sdkDir, 'integrity.json'),
        JSON.stringify({ version, files: { 'postern.js': 'sha384-abc' } }),
      )
    await write('0.0.0')
    expect(await tag()).toEqual({ src, integrity: null })
    await write('1.2.3')
    await expect
      .poll(tag)
      .toEqual({ src: 'https://modal.postern.example/postern@1.2.3/postern.js', integrity: 'sha384-abc' })
  })

  test('the public sites do not serve it', async () => {
    for (const { path } of adminOperations) {
      const response = await app.get(`/admin/v1${path.replace('{id}', 'demo')}`, {
        Authorization: `Bearer ${admin.token}`,
      })
      expect(response.status).not.toBe(200)
    }
  })

  test('logs no token and nothing personal', async () => {
    const { email, userId } = await addUser()
    await call('POST', '/users/look-up', { body: { who: email } })
    await call('POST', '/users/look-up', { body: { who: address } })
    await call('GET', `/users/${userId}/export`)
    await call('GET', '/me', { token: 'wrong-token-wrong-token-wrong-token' })
    expect(logged).toContain('a wrong token')
    for (const text of [admin.token, 'wrong-token-', email, address, solana]) expect(logged).not.toContain(text)
  })
})

describe('projects', () => {
  test('are made, changed and deleted, with audit entries', async () => {
    const made = await read(
      z.looseObject({ id: z.string() }),
      await call('POST', '/projects', { body: { name: 'New', allowedOrigins: ['https://new.example.com/'] } }),
    )
    const changed = await call('PATCH', `/projects/${made.id}`, {
      body: { features: { swaps: false }, allowedOrigins: ['https://*.example.com'] },
    })
    expect(await changed.json()).toMatchObject({
      name: 'New',
      features: { swaps: false },
      allowedOrigins: ['https://*.example.com'],
    })
    expect((await read(Ids, await call('GET', '/projects'))).map(({ id }) => id)).toContain(made.id)
    expect((await call('DELETE', `/projects/${made.id}`)).status).toBe(200)
    expect((await call('GET', `/projects/${made.id}`)).status).toBe(404)
    expect(await audit()).toMatchObject([
      { actor: 'ann', action: 'project.delete', target: made.id },
      {
        actor: 'ann',
        action: 'project.update',
        target: made.id,
        detail: expect.stringMatching(/^features; allowedOrigins: /),
      },
      { actor: 'ann', action: 'project.create', target: made.id },
    ])
  })

  test('have their own lines in emails', async () => {
    const mailTexts = { de: { intro: 'Willkommen.' }, 'zh-Hant': { footer: '需要協助？' } }
    const changed = await call('PATCH', '/projects/demo', { body: { mailTexts } })
    expect(await changed.json()).toMatchObject({ mailTexts })
    const Me = z.looseObject({ mailLanguages: z.array(z.string()) })
    expect((await read(Me, await call('GET', '/me', { token: viewer.token }))).mailLanguages).toContain('zh-Hant')
  })

  test('reject what the command line rejects', async () => {
    expect((await call('POST', '/projects', { body: { id: 'demo', name: 'Again' } })).status).toBe(409)
    const wrong = await call('PATCH', '/projects/demo', { body: { allowedOrigins: ['example'] } })
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({ reasons: [{ name: 'allowedOrigins.0' }] })
    for (const mailTexts of [{ tlh: {} }, { de: { subject: 'Ihr Code' } }, { de: { intro: 'a\u202eb' } }])
      expect((await call('PATCH', '/projects/demo', { body: { mailTexts } })).status).toBe(400)
    expect((await call('PATCH', '/projects/demo', { body: { owner: 'me' } })).status).toBe(400)
    expect((await call('PATCH', '/projects/demo', { body: {} })).status).toBe(400)
    const unknown = await call('PATCH', '/projects/demo', { body: { signInChains: ['eip155:31337'] } })
    expect(unknown.status).toBe(400)
    expect(await unknown.text()).toContain('eip155:31337 is no network of this gateway')
    expect((await call('PATCH', '/projects/none', { body: { name: 'None' } })).status).toBe(404)
    expect(await audit()).toEqual([])
  })

  test('test an origin and name the rule', async () => {
    const rule = async (id: string, origin: string) =>
      (await call('POST', `/projects/${id}/test-origin`, { body: { origin } })).json()
    expect(await rule('strict', 'https://app.example.com/page?a=1')).toEqual({
      allowed: true,
      rule: 'https://app.example.com',
      origin: 'https://app.example.com',
    })
    expect(await rule('demo', 'https://one.preview.example.com')).toMatchObject({
      rule: 'https://*.preview.example.com',
    })
    expect(await rule('demo', 'http://localhost:3000')).toMatchObject({ allowed: true, rule: 'default ancestors' })
    expect(await rule('strict', 'http://localhost:3000')).toMatchObject({ allowed: false, rule: null })
    expect(await rule('strict', 'file:///tmp')).toMatchObject({ status: 'error' })
  })
})

describe('users', () => {
  test('are found by email address, address and id, with little data', async () => {
    const { userId, email } = await addUser()
    for (const who of [email, ` ${email.toUpperCase()} `, address.toLowerCase(), solana, userId]) {
      expect(await (await call('POST', '/users/look-up', { body: { who } })).json()).toEqual([
        { id: userId, provider: 'email', email: 'u…@example.com', createdAt: expect.any(String), blockedAt: null },
      ])
    }
    for (const who of ['other@example.com', 'a\0b', '%']) {
      expect(await (await call('POST', '/users/look-up', { body: { who } })).json()).toEqual([])
    }
    const entries = await audit()
    expect(entries).toHaveLength(8)
    expect(entries.map(({ target }) => target)).toEqual([null, null, null, ...Array(5).fill(userId)])
  })

  test('are 404 by an id that no user has, also one that the database rejects', async () => {
    for (const id of ['none', '%00', 'a%00b']) {
      expect([id, (await call('GET', `/users/${id}`)).status]).toEqual([id, 404])
    }
    expect((await call('GET', '/audit?target=%00')).status).toBe(400)
  })

  test('never show a share, a key or a hash', async () => {
    const { userId, email } = await addUser()
    const view = await (await call('GET', `/users/${userId}`)).text()
    const exported = await (await call('GET', `/users/${userId}/export`)).text()
    expect(view).toContain('Laptop')
    expect(view).not.toContain(email)
    expect(exported).toContain(email)
    expect(exported).toContain(address)
    for (const text of [view, exported]) {
      for (const secret of ['SEALED', 'PROOF-HASH', 'AUTH-KEY', 'RECOVERY-KEY', 'tokenHash', 'subjectHash']) {
        expect(text).not.toContain(secret)
      }
    }
  })

  test('are signed out everywhere', async () => {
    const { userId, token } = await addUser()
    expect((await call('POST', `/users/${userId}/sign-out`)).status).toBe(200)
    await expect(app.auth.sessions.open(token, await thumbprintOf(ownKey))).rejects.toMatchObject({ status: 401 })
    expect((await audit())[0]).toMatchObject({ action: 'user.sign-out', target: userId, actor: 'ann' })
  })

  test('are blocked from sessions and sign-in, until unblocked', async () => {
    const { userId, token, email, device } = await addUser()
    const identity = { provider: 'email', subject: email, email, userName: null } as const
    expect((await call('POST', `/users/${userId}/block`)).status).toBe(200)
    await expect(app.auth.sessions.open(token, await thumbprintOf(ownKey))).rejects.toMatchObject({ status: 401 })
    await expect(app.auth.sessions.signIn(identity, device, 'demo')).rejects.toMatchObject({ status: 403 })
    const [found] = await read(
      z.array(z.looseObject({ blockedAt: z.nullable(z.string()) })),
      await call('POST', '/users/look-up', { body: { who: email } }),
    )
    expect(found?.blockedAt).not.toBeNull()
    expect((await call('POST', `/users/${userId}/unblock`)).status).toBe(200)
    expect(await app.auth.sessions.signIn(identity, device, 'demo')).toMatchObject({ status: 'signedIn' })
  })

  test('a session from during the block does not work', async () => {
    const { userId, token } = await addUser()
    await app.database.orm.execute(sql`update users set blocked_at = now() where id = ${userId}`)
    await expect(app.auth.sessions.open(token, await thumbprintOf(ownKey))).rejects.toMatchObject({ status: 401 })
  })

  test('are deleted with all rows', async () => {
    const { userId } = await addUser()
    expect((await call('DELETE', `/users/${userId}`)).status).toBe(200)
    expect((await call('GET', `/users/${userId}`)).status).toBe(404)
    for (const table of ['users', 'devices', 'sessions', 'wallets', 'auth_shares', 'recovery_shares', 'share_keys']) {
      const { rows } = z
        .object({ rows: z.array(z.unknown()) })
        .parse(await app.database.orm.execute(sql`select 1 from ${sql.identifier(table)}`))
      expect([table, rows.length]).toEqual([table, 0])
    }
  })
})

test('analytics are summed by day, wallet, chain and outcome', async () => {
  const event = (id: string, name: string, properties: Record<string, string>) =>
    app.analytics.take({
      projectId: 'demo',
      eventId: id,
      type: 'track',
      event: name,
      origin: 'https://app.example.com',
      properties,
      address: null,
      receivedAt: noon,
    })
  event('1', 'MODAL_OPEN', {})
  event('2', 'CONNECT_SUCCESS', { name: 'Rabby', namespace: 'eip155' })
  event('3', 'CONNECT_SUCCESS', { name: 'Rabby', namespace: 'eip155' })
  event('4', 'CONNECT_ERROR', { name: 'Phantom', code: 'X' })
  event('5', 'USER_REJECTED', { name: 'Rabby' })
  await app.analytics.flush()
  const day = new Date(noon).toISOString().slice(0, 10)
  const summary = await (await call('GET', '/analytics?projectId=demo&days=7', { token: viewer.token })).json()
  expect(summary.days).toHaveLength(7)
  expect(summary.days.at(-1)).toEqual({ day, sites: 1, opens: 1, connects: 2, failures: 1 })
  expect(summary.connects).toEqual([
    { day, wallet: 'Rabby', chain: 'eip155', outcome: 'connected', count: 2 },
    { day, wallet: 'Phantom', chain: null, outcome: 'failed', count: 1 },
    { day, wallet: 'Rabby', chain: null, outcome: 'declined', count: 1 },
  ])
  expect((await call('GET', '/analytics?projectId=none')).status).toBe(404)
  expect((await call('GET', '/analytics?projectId=demo&days=x')).status).toBe(400)
})

test('health tells of the database, email, upstreams and limits', async () => {
  expect(await (await call('GET', '/health')).json()).toMatchObject({
    database: { kind: 'postgresql', answers: true, connections: { waiting: 0 } },
    email: { configured: false, sent: 0, failed: 0 },
    upstreams: [],
    limits: [],
  })
})

test('the directory is searched by name, page by page, without links that the console has no use for', async () => {
  const Page = z.object({ count: z.number(), wallets: z.array(z.looseObject({ id: z.string(), name: z.string() })) })
  const find = async (query: string) => read(Page, await call('GET', `/directory${query}`, { token: viewer.token }))
  const first = await find('')
  expect([first.count, first.wallets.length]).toEqual([45, 40])
  expect((await find('?page=2')).wallets).toHaveLength(5)
  expect(await find('?search=WALLET%207')).toEqual({
    count: 1,
    wallets: [
      {
        id: 'wallet-7',
        name: 'Wallet 7',
        rdns: 'com.example.w7',
        namespaces: ['eip155', 'solana'],
        explorerIds: ['f'.repeat(64)],
        homepage: 'https://w7.example.com',
        certified: true,
      },
    ],
  })
  expect((await call('GET', '/directory?page=0')).status).toBe(400)
  expect((await call('GET', `/directory?search=${'x'.repeat(129)}`)).status).toBe(400)
  expect((await call('GET', '/directory', { token: null })).status).toBe(401)
})

describe('audit log', () => {
  test('cannot be changed or deleted, in the database either', async () => {
    await call('POST', '/users/look-up', { body: { who: 'missing@example.com' } })
    const statements = [sql`update audit_log set actor = 'x'`, sql`delete from audit_log`, sql`truncate audit_log`]
    for (const statement of statements) {
      await expect(app.database.orm.execute(statement)).rejects.toMatchObject({
        cause: { message: 'audit_log is append-only' },
      })
    }
    expect(await audit()).toHaveLength(1)
    expect((await call('DELETE', '/audit')).status).toBe(404)
  })

  test('has pages', async () => {
    for (let count = 0; count < 101; count += 1) {
      await call('POST', '/users/look-up', { body: { who: 'missing@example.com' } })
    }
    const first = await audit()
    expect(first).toHaveLength(100)
    expect(await read(Entries, await call('GET', `/audit?before=${first.at(-1)?.id}`))).toHaveLength(1)
  })
})

test('the OpenAPI document has each route of the app, and no other', async () => {
  const document = z
    .looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(await (await call('GET', '/openapi.json')).json())
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  const served = api.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/admin/v1/') && !path.endsWith('openapi.json'))
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(':id', '{id}')}`)
  expect(described.sort()).toEqual(served.sort())
})
