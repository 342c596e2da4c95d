/** Sign-in for dapps without a server; with the limits of `routes.ts`. */

import { ed25519 } from '@noble/curves/ed25519.js'
import { createSiwx, formatMessage, serverSessions } from '@postern/siwx'
import { base58 } from '@scure/base'
import { createRemoteJWKSet, customFetch, decodeJwt, jwtVerify, SignJWT } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { modalOrigin, walletOrigin } from '../../testing/app'
import { callLimit } from '../../testing/call-limit'
import { clock, noon } from '../../testing/clock'
import { everyRow } from '../../testing/databases'
import { appOrigin, of, page, testApps, visitor } from '../../testing/siwx'

const preview = 'https://one.preview.example.com'
const { start } = testApps()

describe('a visitor', () => {
  test('signs in, adds an account, is known, and signs out of one account and then of all', async () => {
    const site = page(await start())
    const [alice, bob] = [visitor(), visitor()]
    const first = await site.signIn(alice)
    const both = await site.signIn(bob, first)
    expect((await site.me(both)).sessions?.map(({ address }) => address)).toEqual([alice.address, bob.address])
    const left = await site.signOut(both, { chainId: 'eip155:1', address: alice.address })
    expect(left.sessions?.map(({ address }) => address)).toEqual([bob.address])
    expect(await site.me(first)).toMatchObject({ status: 401, reason: 'NOT_SIGNED_IN' })
    expect((await site.signOut(left.token ?? '')).sessions).toEqual([])
    expect(await site.me(both)).toMatchObject({ status: 401, reason: 'NOT_SIGNED_IN' })
  })

  test('signs in on Solana with base58, and is rejected with an invalid signature', async () => {
    const site = page(await start())
    const secret = ed25519.utils.randomPrivateKey()
    const fields = { version: '1', issuedAt: new Date(noon).toISOString(), ...of(appOrigin) }
    const text = formatMessage({
      ...fields,
      accountAddress: base58.encode(ed25519.getPublicKey(secret)),
      chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      nonce: await site.nonce(),
    })
    const good = base58.encode(ed25519.sign(new TextEncoder().encode(text), secret))
    expect(
      await site.authenticate({ message: text, signature: good.replace(/.$/, (last) => (last === '1' ? '2' : '1')) }),
    ).toMatchObject({
      reason: 'SIGNATURE_INVALID',
    })
    expect((await site.authenticate({ message: text, signature: good })).status).toBe(200)
    const bitcoin = formatMessage({
      ...fields,
      accountAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      chainId: 'bip122:000000000019d6689c085ae165831e93',
      nonce: await site.nonce(),
    })
    expect(await site.authenticate({ message: bitcoin, signature: btoa('no signature') })).toMatchObject({
      status: 401,
      reason: 'SIGNATURE_INVALID',
    })
  })

  test('2. is rejected with a message for another page, an unknown chain or another time', async () => {
    const time = clock()
    const site = page(await start({ now: time.now }))
    const alice = visitor(time.now)
    const at = (ms: number) => new Date(time.now() + ms).toISOString()
    const bob = await visitor(time.now).sign({ nonce: await site.nonce() })
    for (const [fields, reason] of [
      [of('https://evil.example'), 'DOMAIN_MISMATCH'],
      [of(preview), 'DOMAIN_MISMATCH'],
      [of('https://app.example.com:8443'), 'DOMAIN_MISMATCH'],
      [of(modalOrigin), 'DOMAIN_MISMATCH'],
      [{ uri: 'https://evil.example' }, 'URI_MISMATCH'],
      [{ chainId: 'eip155:424242424' }, 'CHAIN_NOT_ALLOWED'],
      [{ expirationTime: at(-120_000) }, 'EXPIRED'],
      [{ notBefore: at(120_000) }, 'NOT_YET_VALID'],
      [{ nonce: '0123456789abcdef'.repeat(4) }, 'NONCE_INVALID'],
    ] as const) {
      const signed = await alice.sign({ nonce: await site.nonce(), ...fields })
      expect((await site.authenticate(signed)).reason).toBe(reason)
    }
    const signed = await alice.sign({ nonce: await site.nonce() })
    expect((await site.authenticate({ ...signed, signature: bob.signature })).reason).toBe('SIGNATURE_INVALID')
    const altered = signed.message.replace('Chain ID: 1', 'Chain ID: 10')
    expect((await site.authenticate({ ...signed, message: altered })).reason).toBe('SIGNATURE_INVALID')
    time.pass(600_001)
    expect((await site.authenticate(signed)).reason).toBe('NONCE_INVALID')
  })
})

describe('a page', () => {
  test('uses `@postern/siwx`: nonce, sign-in, a second account, sign-out', async () => {
    const app = await start()
    const asFrom = (origin: string) => (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      const headers = new Headers(init?.headers)
      headers.set('Origin', origin)
      return app.request(String(input), { ...init, headers })
    }
    const url = `${modalOrigin}/v1/siwx?projectId=demo`
    const now = () => noon
    const sessions = serverSessions({ url, token: 'memory', page: null, fetch: asFrom(appOrigin), now })
    const siwx = createSiwx({ ...of(appOrigin), sessions, now })
    for (const account of [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]) {
      const data = await siwx.createMessage({ chainId: 'eip155:1', accountAddress: account.address })
      const message = data.toString()
      await siwx.addSession({ data, message, signature: await account.signMessage({ message }) })
      expect(await siwx.getSessions('eip155:1', account.address)).toHaveLength(1)
    }
    const [first] = await sessions.all()
    if (first === undefined) throw new Error('No session')
    await siwx.revokeSession('eip155:1', first.data.accountAddress)
    expect(await sessions.all()).toHaveLength(1)
    const elsewhere = serverSessions({ url, token: 'memory', page: null, fetch: asFrom('https://evil.example') })
    await expect(elsewhere.nonce()).rejects.toThrow('not allowed')
  })

  test('1. of the project can read every response, also failures, without credentials', async () => {
    const app = await start()
    const preflight = await app.request('/v1/siwx/authenticate?projectId=demo', {
      method: 'OPTIONS',
      headers: {
        Origin: appOrigin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe('authorization, content-type')
    const refused = await page(app).authenticate({ message: 'hello', signature: '0x' })
    expect(refused.reason).toBe('MALFORMED')
    for (const { headers } of [preflight, refused.response]) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe(appOrigin)
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
      expect(headers.get('Vary')).toContain('Origin')
    }
    expect(refused.response.headers.get('Cache-Control')).toBe('no-store')
    expect(refused.response.headers.get('Set-Cookie')).toBeNull()
  })

  test.each(['https://evil.example', 'null', modalOrigin, walletOrigin, 'http://app.example.com'])(
    '1. of %s gets no nonce, token or CORS header',
    async (origin) => {
      const app = await start()
      const alice = visitor()
      const signed = await alice.sign({ nonce: await page(app).nonce() })
      const token = await page(app).signIn(alice)
      const site = page(app, { origin })
      for (const { response, status, nonce } of [
        await site.ask('POST', 'nonce'),
        await site.authenticate(signed),
        await site.me(token),
        await site.signOut(token),
      ]) {
        expect([status, nonce]).toEqual([403, undefined])
        expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
      }
      const preflight = await app.request('/v1/siwx/nonce?projectId=demo', {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      })
      expect([preflight.status, preflight.headers.get('Access-Control-Allow-Origin')]).toEqual([403, null])
      expect((await page(app).me(token)).status).toBe(200)
    },
  )

  test('1. without an origin or a known project is rejected', async () => {
    const app = await start()
    const token = await page(app).signIn(visitor())
    expect((await page(app, { origin: null }).ask('POST', 'nonce')).reason).toBe('ORIGIN_NOT_ALLOWED')
    expect((await page(app, { origin: null }).signOut(token)).reason).toBe('ORIGIN_NOT_ALLOWED')
    expect((await page(app, { projectId: 'unknown' }).ask('POST', 'nonce')).status).toBe(401)
    expect((await app.request(`${walletOrigin}/v1/siwx/nonce?projectId=demo`, { method: 'POST' })).status).toBe(404)
  })

  test('3. gets tokens that are valid only for its project and origin', async () => {
    const app = await start()
    const alice = visitor()
    const here = await page(app).signIn(alice)
    expect(decodeJwt(here)).toMatchObject({ iss: `${modalOrigin}/v1/siwx?projectId=demo`, aud: appOrigin })
    for (const other of [{ projectId: 'strict' }, { origin: preview }]) {
      expect((await page(app, other).me(here)).reason).toBe('NOT_SIGNED_IN')
      expect((await page(app, other).signOut(here)).sessions).toEqual([])
    }
    // On a shared preview host: its tokens name that page.
    const anybody = 'https://anybody.pages.dev'
    const elsewhere = await page(app, { origin: anybody }).signIn(alice)
    expect(decodeJwt(elsewhere).aud).toBe(anybody)
    expect((await page(app).me(elsewhere)).reason).toBe('NOT_SIGNED_IN')
    expect((await page(app).me(here)).status).toBe(200)
    // Accounts of another project's token are left out.
    const strict = await page(app, { projectId: 'strict' }).signIn(visitor(), here)
    expect((await page(app, { projectId: 'strict' }).me(strict)).sessions).toHaveLength(1)
    // A nonce is for one project.
    const nonce = await page(app).nonce()
    expect((await page(app, { projectId: 'strict' }).authenticate(await alice.sign({ nonce }))).reason).toBe(
      'NONCE_INVALID',
    )
  })

  test('4. must send its token as a bearer; a cookie is ignored', async () => {
    const app = await start()
    const token = await page(app).signIn(visitor())
    const response = await app.get('/v1/siwx/me?projectId=demo', {
      Origin: appOrigin,
      Cookie: `__Host-siwx=${token}; siwx=${token}`,
    })
    expect(response.status).toBe(401)
  })

  test('may send messages of at most 4,096 bytes', async () => {
    const site = page(await start())
    const alice = visitor()
    const sized = async (statement: number) =>
      alice.sign({ nonce: await site.nonce(), statement: 'x'.repeat(statement) })
    const { message } = await sized(1)
    const rest = 4_096 - message.length
    expect((await site.authenticate(await sized(rest + 1))).status).toBe(200)
    expect(await site.authenticate(await sized(rest + 2))).toMatchObject({ status: 400, reason: 'MALFORMED' })
  })

  test('may send at most 32 kB, also without a declared length', async () => {
    const app = await start()
    const long = JSON.stringify({ message: 'x'.repeat(40_000), signature: '0x' })
    const response = await page(app).ask('POST', 'authenticate', { body: long })
    expect([response.status, response.response.headers.get('Access-Control-Allow-Origin')]).toEqual([413, appOrigin])
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(1_000))),
    })
    const anonymous = {
      method: 'POST',
      headers: { Origin: appOrigin, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
      body: stream,
      duplex: 'half',
    }
    expect((await app.request('/v1/siwx/authenticate?projectId=demo', anonymous)).status).toBe(413)
  })
})

test('5. a server checks tokens without an origin, and only valid tokens of its project', async () => {
  const app = await start()
  const token = await page(app).signIn(visitor())
  const server = page(app, { origin: null })
  expect((await server.me(token)).sessions).toHaveLength(1)
  expect((await page(app, { origin: null, projectId: 'strict' }).me(token)).reason).toBe('NOT_SIGNED_IN')
  const forged = await new SignJWT({ sessions: [] })
    .setProtectedHeader({ alg: 'HS256', typ: 'siwx+jwt' })
    .setAudience(appOrigin)
    .setIssuer(`${modalOrigin}/v1/siwx?projectId=demo`)
    .sign(new TextEncoder().encode('x'.repeat(32)))
  for (const bad of [forged, 'a.b.c', '', token.replace(/.{8}$/, 'AAAAAAAA')]) {
    expect((await server.me(bad)).reason).toBe('NOT_SIGNED_IN')
  }
})

test('a dapp’s server verifies a token with the published keys and any JWT library', async () => {
  const app = await start()
  const alice = visitor()
  const token = await page(app).signIn(alice)
  const url = new URL(`${modalOrigin}/v1/siwx/jwks.json`)
  const keys = createRemoteJWKSet(url, { [customFetch]: (jwksUrl: string) => app.get(jwksUrl) })
  const expected = { issuer: `${modalOrigin}/v1/siwx?projectId=demo`, audience: appOrigin, typ: 'siwx+jwt' }
  const { payload } = await jwtVerify(token, keys, {
    ...expected,
    algorithms: ['EdDSA'],
    currentDate: new Date(noon),
  })
  expect(payload).toMatchObject({ sub: `eip155:1:${alice.address}` })
  const { headers } = await app.get('/v1/siwx/jwks.json')
  expect(headers.get('Cache-Control')).toBe('public, max-age=300')
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
})

describe('6. a flood', () => {
  test('is refused with a readable retry time, and does not reach the database', async () => {
    const now = () => Date.UTC(2026, 10, 21)
    const app = await start({ ...callLimit({ perSecond: 1, burst: 20 }, now) })
    const site = page(app)
    const answers = await Promise.all(Array.from({ length: 100 }, () => site.ask('POST', 'nonce')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(80)
    expect(refused[0]?.response.headers.get('Retry-After')).toBe('1')
    expect(refused[0]?.response.headers.get('Access-Control-Allow-Origin')).toBe(appOrigin)
    expect((await everyRow(app.database)).get('siwx_nonces')).toContain('"rows":[]')
  })

  test('of one caller does not affect others; sign-ins are counted across all gateways', async () => {
    const time = clock()
    let caller = '203.0.113.1'
    const app = await start({ now: time.now, clientAddress: () => caller })
    const bad = { message: 'hello', signature: '0x' }
    const statuses: number[] = []
    for (let tries = 0; tries < 125; tries += 1) statuses.push((await page(app).authenticate(bad)).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    caller = '203.0.113.2'
    expect((await page(app).authenticate(bad)).reason).toBe('MALFORMED')
  })
})
