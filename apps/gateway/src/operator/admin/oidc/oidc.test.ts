import type { HttpBindings } from '@hono/node-server'
import { answerOidc, type OidcFault, type OidcPerson, type OidcProvider, startOidcProvider } from '@postern/devnet'
import type { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { composeAdminApp } from '../../../admin-server'
import { operatorSessions, operatorSignIns } from '../../../platform/db/admin-schema'
import { createLog } from '../../../platform/log/log'
import { createMetrics } from '../../../platform/metrics/metrics'
import { createDirectory } from '../../../site/directory'
import { startTestApp, type TestApp } from '../../../testing/app'
import { noon } from '../../../testing/clock'
import type { OperatorToken } from '../config'
import type { OperatorEnv } from '../operators'
import { callbackPath, type OidcConfig, type RoleRule } from './config'

const origin = 'http://127.0.0.1:4480'
const token: OperatorToken = { name: 'tom', role: 'admin', token: 't'.repeat(32) }
const rules: readonly RoleRule[] = [
  { claim: 'groups', value: 'viewers', role: 'viewer' },
  { claim: 'groups', value: 'admins', role: 'admin' },
  { claim: 'email', value: 'boss@example.com', role: 'admin' },
]
const ann: OidcPerson = { email: 'ann@example.com', groups: 'staff, admins' }
const annsName = 'ann@example.com (subject-of-ann@example.com)'

let provider: OidcProvider
let app: TestApp
let gateway: Gateway
let logged = ''
let at: number

/** For the gateway, and for the provider and the library that checks its tokens. Epoch ms. */
function setTime(ms: number): void {
  at = ms
  vi.setSystemTime(ms)
}

beforeAll(async () => {
  provider = await startOidcProvider({ port: 0, redirectUri: `${origin}${callbackPath}` })
})
afterAll(() => provider.stop())
beforeEach(async () => {
  setTime(noon)
  app = await startTestApp({ now: () => at })
  logged = ''
  gateway = replica()
})
afterEach(async () => {
  vi.useRealTimers()
  provider.setFault('none')
  await app.close()
})

type Gateway = Hono<OperatorEnv>

const icons = { wallets: new Map(), networks: new Map(), currencies: new Map(), tokens: new Map() }

/** Another gateway on the same database. */
function replica(settings: Partial<OidcConfig> | null = {}): Gateway {
  const { issuer, clientId, clientSecret } = provider
  const oidc = { issuer, clientId, clientSecret, scope: 'openid email', roles: rules, ...settings }
  return composeAdminApp(
    {
      trustedProxies: 0,
      networks: [],
      modalOrigin: 'https://modal.postern.example',
      consoleDir: '/none',
      sdkDir: '/none',
    },
    { host: '127.0.0.1', port: 0, origin, operators: [token], ...(settings !== null && { oidc }) },
    {
      database: app.database,
      projects: app.projects,
      auth: app.auth,
      directory: createDirectory({ wallets: [], icons }),
      now: () => at,
    },
    createMetrics(null),
    createLog('trace', {
      write(line: string) {
        logged += line
      },
    }),
  )
}

const bindings = { incoming: { socket: { remoteAddress: '203.0.113.7' } } } as unknown as HttpBindings

async function call(
  at: Gateway,
  method: string,
  path: string,
  { bearer, body, headers }: { bearer?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Response> {
  return at.request(
    `${origin}/admin/v1${path}`,
    {
      method,
      headers: {
        Host: new URL(origin).host,
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    bindings,
  )
}

const Started = z.object({ url: z.string(), ticket: z.string() })
const Finished = z.object({ token: z.string() })
const Refused = z.object({ reasons: z.array(z.object({ name: z.string(), description: z.string() })) })
const Entries = z.array(z.looseObject({ actor: z.string(), action: z.string(), detail: z.nullable(z.string()) }))

const start = async (at = gateway) => Started.parse(await (await call(at, 'POST', '/sign-in/start')).json())
const finish = (ticket: string, query: string, at = gateway) =>
  call(at, 'POST', '/sign-in/finish', { body: { ticket, query } })

/** Through the provider. */
async function attempt(person: OidcPerson, at = gateway): Promise<Response> {
  const { url, ticket } = await start(at)
  const callback = await answerOidc(url, person)
  expect(callback.origin + callback.pathname).toBe(`${origin}${callbackPath}`)
  return finish(ticket, callback.search, at)
}
const signIn = async (person: OidcPerson, at = gateway) =>
  Finished.parse(await (await attempt(person, at)).json()).token
const refusal = async (response: Response) => {
  const [reason] = Refused.parse(await response.json()).reasons
  return [response.status, reason?.name]
}
const me = async (bearer: string, at = gateway) => (await call(at, 'GET', '/me', { bearer })).status
const audit = async () => Entries.parse(await (await call(gateway, 'GET', '/audit', { bearer: token.token })).json())
const noSession = async () => expect(await app.database.orm.select().from(operatorSessions)).toEqual([])

describe('sign-in at the provider', () => {
  test('an operator gets the role of the group, and the audit log names them', async () => {
    const bearer = await signIn(ann)
    const response = await call(gateway, 'GET', '/me', { bearer })
    expect(await response.json()).toMatchObject({ name: annsName, role: 'admin' })
    expect((await call(gateway, 'PATCH', '/projects/demo', { bearer, body: { name: 'New' } })).status).toBe(200)
    expect(await audit()).toMatchObject([
      { actor: annsName, action: 'project.update', target: 'demo' },
      { actor: annsName, action: 'operator.sign-in', detail: 'admin' },
    ])
  })

  test('a viewer changes nothing', async () => {
    const bearer = await signIn({ email: 'vic@example.com', groups: 'viewers' })
    expect(await me(bearer)).toBe(200)
    expect((await call(gateway, 'PATCH', '/projects/demo', { bearer, body: { name: 'New' } })).status).toBe(403)
    expect((await call(gateway, 'POST', '/operators/sign-out', { bearer, body: { who: 'x' } })).status).toBe(403)
  })

  test('claims of the UserInfo endpoint count too', async () => {
    const other = await startOidcProvider({ port: 0, redirectUri: `${origin}${callbackPath}`, claimsIn: 'userInfo' })
    try {
      const at = replica({ issuer: other.issuer })
      const response = await call(at, 'GET', '/me', { bearer: await signIn(ann, at) })
      expect(await response.json()).toMatchObject({ name: annsName, role: 'admin' })
    } finally {
      await other.stop()
    }
  })

  test('another replica finishes it, and knows the session', async () => {
    const other = replica()
    const { url, ticket } = await start(gateway)
    const response = await finish(ticket, (await answerOidc(url, ann)).search, other)
    const { token: bearer } = Finished.parse(await response.json())
    expect([await me(bearer, gateway), await me(bearer, other)]).toEqual([200, 200])
  })

  test('the console learns of the provider without a token', async () => {
    const methods = await call(gateway, 'GET', '/sign-in')
    expect(await methods.json()).toEqual({ oidc: new URL(provider.issuer).host })
    const tokensOnly = replica(null)
    expect(await (await call(tokensOnly, 'GET', '/sign-in')).json()).toEqual({ oidc: null })
    expect((await call(tokensOnly, 'POST', '/sign-in/start')).status).toBe(404)
  })

  test('a provider that is down is named, and asked again later', async () => {
    const other = await startOidcProvider({ port: 0, redirectUri: `${origin}${callbackPath}` })
    await other.stop()
    const at = replica({ issuer: other.issuer })
    expect(await refusal(await call(at, 'POST', '/sign-in/start'))).toEqual([502, 'provider'])
    const again = await startOidcProvider({
      port: Number(new URL(other.issuer).port),
      redirectUri: `${origin}${callbackPath}`,
    })
    try {
      expect(await me(await signIn(ann, at), at)).toBe(200)
      again.setFault('down')
      expect(await refusal(await attempt(ann, at))).toEqual([502, 'provider'])
    } finally {
      await again.stop()
    }
  })
})

test('the log says what is wrong with the settings', async () => {
  const wrongSecret = replica({ clientSecret: 'wrong-client-secret' })
  expect(await refusal(await attempt(ann, wrongSecret))).toEqual([401, 'sign-in'])
  expect(logged).toContain('invalid_client')
  const wrongIssuer = replica({ issuer: `${provider.issuer}/realms/none` })
  expect(await refusal(await call(wrongIssuer, 'POST', '/sign-in/start'))).toEqual([502, 'provider'])
  expect(logged).toContain('OAUTH_RESPONSE_IS_NOT_CONFORM')
  expect(logged).not.toContain('wrong-client-secret')
})

describe('attacks on the sign-in', () => {
  test('a group without a role stays outside', async () => {
    for (const groups of ['staff', '', 'Admins', 'admins.other', 'viewers admins']) {
      expect([groups, await refusal(await attempt({ ...ann, groups }))]).toEqual([groups, [403, 'role']])
    }
    await noSession()
    expect(await audit()).toEqual([])
  })

  test('an email address gives a role only if the provider has verified it', async () => {
    const boss = { email: 'boss@example.com', groups: '' }
    expect(await refusal(await attempt({ ...boss, verified: 'no' }))).toEqual([403, 'role'])
    expect(await me(await signIn(boss))).toBe(200)
  })

  test('the audit log does not name an operator by an unverified address', async () => {
    await signIn({ email: 'boss@example.com', groups: 'viewers', verified: 'no' })
    expect((await audit())[0]).toMatchObject({ actor: '(subject-of-boss@example.com)' })
  })

  test('a wrong or missing state is refused', async () => {
    for (const change of [
      (query: URLSearchParams) => query.set('state', 'x'.repeat(43)),
      (query: URLSearchParams) => query.delete('state'),
      (query: URLSearchParams) => query.append('state', 'x'),
    ]) {
      const { url, ticket } = await start()
      const { searchParams } = await answerOidc(url, ann)
      change(searchParams)
      expect(await refusal(await finish(ticket, `?${searchParams}`))).toEqual([401, 'sign-in'])
    }
    await noSession()
  })

  test('login CSRF: the answer to another tab’s sign-in is refused', async () => {
    const attackers = await start()
    const { search } = await answerOidc(attackers.url, ann)
    const victims = await start()
    expect(await refusal(await finish(victims.ticket, search))).toEqual([401, 'sign-in'])
    // With the victim's state the code still has the attacker's PKCE challenge and nonce.
    const again = await start()
    const mixed = new URLSearchParams(search)
    mixed.set('state', new URL(again.url).searchParams.get('state') ?? '')
    expect(await refusal(await finish(again.ticket, `?${mixed}`))).toEqual([401, 'sign-in'])
    await noSession()
  })

  test('a page of another origin cannot begin or finish it', async () => {
    const { url, ticket } = await start()
    const { search: query } = await answerOidc(url, ann)
    for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
      expect((await call(gateway, 'POST', '/sign-in/start', { headers })).status).toBe(403)
      const finished = await call(gateway, 'POST', '/sign-in/finish', { body: { ticket, query }, headers })
      expect(finished.status).toBe(403)
    }
    await noSession()
  })

  test('an answer works once, on all replicas together', async () => {
    const { url, ticket } = await start()
    const { search } = await answerOidc(url, ann)
    const responses = await Promise.all([finish(ticket, search), finish(ticket, search, replica())])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect(await refusal(await finish(ticket, search))).toEqual([401, 'ticket'])
  })

  test('a used code does not work with another ticket', async () => {
    const first = await start()
    const { searchParams } = await answerOidc(first.url, ann)
    expect((await finish(first.ticket, `?${searchParams}`)).status).toBe(200)
    const second = await start()
    searchParams.set('state', new URL(second.url).searchParams.get('state') ?? '')
    expect(await refusal(await finish(second.ticket, `?${searchParams}`))).toEqual([401, 'sign-in'])
  })

  test.each<OidcFault>(['nonce', 'audience', 'issuer', 'expired', 'signature'])(
    'an ID token is refused: %s',
    async (fault) => {
      provider.setFault(fault)
      expect(await refusal(await attempt(ann))).toEqual([401, 'sign-in'])
      await noSession()
      provider.setFault('none')
      expect((await attempt(ann)).status).toBe(200)
    },
  )

  test('an answer of another provider is refused', async () => {
    const { url, ticket } = await start()
    const { searchParams } = await answerOidc(url, ann)
    searchParams.set('iss', 'https://other.example')
    expect(await refusal(await finish(ticket, `?${searchParams}`))).toEqual([401, 'sign-in'])
  })

  test('a sign-in that the operator denied at the provider is 403', async () => {
    expect(await refusal(await attempt({ ...ann, answer: 'deny' }))).toEqual([403, 'denied'])
    expect(logged).not.toContain('failed')
  })

  test('an answer after ten minutes is too late', async () => {
    const { url, ticket } = await start()
    const { search } = await answerOidc(url, ann)
    setTime(at + 600_000)
    expect(await refusal(await finish(ticket, search))).toEqual([401, 'ticket'])
  })

  test('a ticket is not a token, and a malformed ticket is refused', async () => {
    const { ticket } = await start()
    expect(await me(ticket)).toBe(401)
    expect((await finish('', '?code=1')).status).toBe(400)
    expect((await finish(ticket, '//evil.example/?code=1')).status).toBe(400)
    expect(await refusal(await finish('a'.repeat(43), '?code=1'))).toEqual([401, 'ticket'])
  })

  test('the callback is that of the settings, whatever host a caller names', async () => {
    expect((await call(gateway, 'POST', '/sign-in/start', { headers: { Host: 'evil.example' } })).status).toBe(421)
    const response = await call(gateway, 'POST', '/sign-in/start', { headers: { Host: 'localhost:9999' } })
    const { url } = Started.parse(await response.json())
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${origin}${callbackPath}`)
  })

  test('the provider is asked with PKCE, state and nonce, each of its own', async () => {
    const [one, two] = [await start(), await start()].map(({ url }) => new URL(url).searchParams)
    expect(one?.get('code_challenge_method')).toBe('S256')
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one?.get(name)).toMatch(/^[\w-]{43}$/)
      expect(one?.get(name)).not.toBe(two?.get(name))
    }
  })

  test('limits sign-ins by network address', async () => {
    let status = 200
    let count = 0
    while (status !== 429 && count < 100) {
      status = (await call(gateway, 'POST', '/sign-in/finish', { body: { ticket: 'a'.repeat(43), query: '?' } })).status
      count += 1
    }
    expect(count).toBeLessThanOrEqual(45)
    expect((await call(gateway, 'POST', '/sign-in/start')).status).toBe(429)
  })

  test('the database and the log have no token, and the log nothing personal', async () => {
    const { url, ticket } = await start()
    const rows = JSON.stringify(await app.database.orm.select().from(operatorSignIns))
    const callback = await answerOidc(url, ann)
    const { token: bearer } = Finished.parse(await (await finish(ticket, callback.search)).json())
    const sessions = JSON.stringify(await app.database.orm.select().from(operatorSessions))
    provider.setFault('nonce')
    await attempt(ann)
    await attempt({ ...ann, groups: '' })
    expect(logged).toContain('an operator’s sign-in failed')
    for (const secret of [ticket, bearer, callback.searchParams.get('code') ?? 'none', 'ann@example.com']) {
      expect(logged).not.toContain(secret)
    }
    expect(rows + sessions).not.toContain(ticket)
    expect(rows + sessions).not.toContain(bearer)
  })
})

describe('a session', () => {
  test('ends after eight hours, however it is used', async () => {
    const bearer = await signIn(ann)
    setTime(noon + 8 * 3_600_000 - 60_000)
    expect(await me(bearer)).toBe(200)
    setTime(noon + 8 * 3_600_000 + 60_000)
    expect(await me(bearer)).toBe(401)
  })

  test('ends at sign-out on all replicas, and other sessions go on', async () => {
    const other = replica()
    const [one, two] = [await signIn(ann), await signIn(ann)]
    expect((await call(gateway, 'POST', '/sign-out', { bearer: one })).status).toBe(200)
    expect([await me(one), await me(one, other), await me(two)]).toEqual([401, 401, 200])
    expect((await audit())[0]).toMatchObject({ actor: annsName, action: 'operator.sign-out' })
    expect((await call(gateway, 'POST', '/sign-out', { bearer: token.token })).status).toBe(200)
    expect(await me(token.token)).toBe(200)
  })

  test('ends when the settings take the role away, and follows a changed one', async () => {
    const bearer = await signIn(ann)
    const without = replica({ roles: rules.filter(({ value }) => value !== 'admins') })
    expect(await me(bearer, without)).toBe(401)
    const lower = replica({ roles: [{ claim: 'groups', value: 'admins', role: 'viewer' }] })
    expect(await (await call(lower, 'GET', '/me', { bearer })).json()).toMatchObject({ role: 'viewer' })
    expect(await me(bearer, replica(null))).toBe(401)
    expect(await me(bearer, replica({ issuer: 'https://other.example' }))).toBe(401)
    // Values that had no rule at sign-in give nothing later.
    const more = replica({ roles: [{ claim: 'groups', value: 'staff', role: 'admin' }] })
    expect(await me(bearer, more)).toBe(401)
  })

  test('ends when an admin ends all of the operator, by address or subject', async () => {
    const who = 'vic@example.com'
    for (const name of [who, `subject-of-${who}`]) {
      const [vics, anns] = [await signIn({ email: who, groups: 'viewers' }), await signIn(ann)]
      const ended = await call(gateway, 'POST', '/operators/sign-out', { bearer: anns, body: { who: name } })
      expect(ended.status).toBe(200)
      expect([await me(vics), await me(anns)]).toEqual([401, 200])
      expect((await audit())[0]).toMatchObject({ actor: annsName, action: 'operator.end-sessions', detail: name })
    }
  })

  test.each([
    ['address in another case', 'Vic@Example.COM'],
    ['address with spaces around', ' vic@example.com '],
    ['subject', 'subject-of-vic@example.com'],
    ['name in the audit log', 'vic@example.com (subject-of-vic@example.com)'],
    ['name in the audit log without an address', '(subject-of-vic@example.com)'],
  ])('ends by the %s, and the answer has the number', async (_, who) => {
    const [one, two, anns] = [
      await signIn({ email: 'vic@example.com', groups: 'viewers' }),
      await signIn({ email: 'vic@example.com', groups: 'viewers' }),
      await signIn(ann),
    ]
    const response = await call(gateway, 'POST', '/operators/sign-out', { bearer: anns, body: { who } })
    expect([response.status, await response.json()]).toEqual([200, { ended: 2 }])
    expect([await me(one), await me(two), await me(anns)]).toEqual([401, 401, 200])
  })

  test('ends by the address also those of its subject that have no address', async () => {
    const hidden = await signIn({ email: 'vic@example.com', groups: 'viewers', verified: 'no' })
    await signIn({ email: 'vic@example.com', groups: 'viewers' })
    const body = { who: 'vic@example.com' }
    const response = await call(gateway, 'POST', '/operators/sign-out', { bearer: token.token, body })
    expect(await response.json()).toEqual({ ended: 2 })
    expect(await me(hidden)).toBe(401)
  })

  test.each(['vick@example.com', 'subject-of-vic', 'vic', '%', 'vic@example.com (subject-of-ann)'])(
    'does not end by %s, which is an error',
    async (who) => {
      const vics = await signIn({ email: 'vic@example.com', groups: 'viewers' })
      const response = await call(gateway, 'POST', '/operators/sign-out', { bearer: token.token, body: { who } })
      expect(await refusal(response)).toEqual([404, 'who'])
      expect(await me(vics)).toBe(200)
    },
  )

  test('is in a list for admins, and ends by its id', async () => {
    const [vics, anns] = [await signIn({ email: 'vic@example.com', groups: 'viewers' }), await signIn(ann)]
    const listed = async () =>
      z
        .array(z.looseObject({ id: z.string(), operator: z.string() }))
        .parse(await (await call(gateway, 'GET', '/operators/sessions', { bearer: anns })).json())
    const session = {
      signedInAt: new Date(noon).toISOString(),
      expiresAt: new Date(noon + 8 * 3_600_000).toISOString(),
    }
    const open = await listed()
    expect(open).toHaveLength(2)
    expect(open).toContainEqual(
      expect.objectContaining({ ...session, operator: annsName, role: 'admin', isThis: true }),
    )
    const vicsName = 'vic@example.com (subject-of-vic@example.com)'
    expect(open).toContainEqual(
      expect.objectContaining({ ...session, operator: vicsName, role: 'viewer', isThis: false }),
    )
    expect((await call(gateway, 'GET', '/operators/sessions', { bearer: vics })).status).toBe(403)
    const id = open.find(({ operator }) => operator === vicsName)?.id
    const end = () => call(gateway, 'DELETE', `/operators/sessions/${id}`, { bearer: anns })
    expect(await (await end()).json()).toEqual({ ended: 1 })
    expect([await me(vics), await me(anns)]).toEqual([401, 200])
    expect((await audit())[0]).toMatchObject({ actor: annsName, action: 'operator.end-session', detail: vicsName })
    expect(await refusal(await end())).toEqual([404, 'session'])
    // The id is no token.
    expect(await me(id ?? '')).toBe(401)
    setTime(noon + 8 * 3_600_000)
    const later = await call(gateway, 'GET', '/operators/sessions', { bearer: token.token })
    expect(await later.json()).toEqual([])
  })

  test('needs its token in the header, not in a cookie or the URL', async () => {
    const bearer = await signIn(ann)
    expect((await call(gateway, 'GET', '/me', { headers: { Cookie: `token=${bearer}` } })).status).toBe(401)
    expect((await call(gateway, 'GET', `/me?token=${bearer}`)).status).toBe(401)
    const headers = { Origin: 'https://evil.example' }
    expect((await call(gateway, 'GET', '/me', { bearer, headers })).status).toBe(403)
  })
})
