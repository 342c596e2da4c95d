import { type WalletApiBody, walletApi } from '@postern/protocol'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { codes, emailFlows, rateLimits, users } from '../platform/db/schema'
import { Problem } from '../platform/http/problem'
import { modalOrigin, startTestApp, type TestApp, walletOrigin } from '../testing/app'
import { callLimit } from '../testing/call-limit'
import { noon } from '../testing/clock'
import { everyRow } from '../testing/databases'
import {
  approve,
  call,
  codeIn,
  haveAccount,
  linkIn,
  newToken,
  ownDevice,
  ownKey,
  proofOf,
  signInByEmail,
  succeed,
  thumbprintOf,
} from '../testing/sign-in'

const origin = 'https://app.example.com'
let app: TestApp
let at = noon
beforeAll(async () => {
  app = await startTestApp({ now: () => at })
})
afterAll(() => app.close())
beforeEach(async () => {
  // Later than all tests before: limits in memory are free again.
  at += 24 * 60 * 60_000
  for (const table of [users, emailFlows, codes, rateLimits]) await app.database.orm.delete(table)
  app.mails.length = 0
})

const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('callers', () => {
  const body = JSON.stringify({ email: 'name@example.com', deviceToken: newToken(), origin })
  const json = { 'Content-Type': 'application/json' }
  const post = (headers: Record<string, string>, query = '?projectId=demo', host = walletOrigin, text = body) =>
    app.request(`${host}/auth/email${query}`, { method: 'POST', headers, body: text })

  test.each<[string, Record<string, string>, number]>([
    ['the wallet’s own page', { ...json, Origin: walletOrigin, 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['no browser', json, 200],
    ['an allowed dapp', { ...json, Origin: origin, 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['the modal', { ...json, Origin: modalOrigin, 'Sec-Fetch-Site': 'same-site' }, 403],
    ['a page that hides its origin', { ...json, Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['another site without an origin', { ...json, 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['a form', { 'Content-Type': 'text/plain', Origin: walletOrigin }, 415],
    ['no content type', { Origin: walletOrigin }, 415],
  ])('%s', async (_, headers, status) => {
    expect((await post(headers)).status).toBe(status)
    expect(app.mails).toHaveLength(status === 200 ? 1 : 0)
  })

  test('must name a project', async () => {
    expect((await post(json, '')).status).toBe(401)
    expect((await post(json, '?projectId=unknown')).status).toBe(401)
  })

  test('must come from the wallet site', async () => {
    expect((await post(json, undefined, modalOrigin)).status).toBe(404)
    expect((await app.request(`${walletOrigin}/auth/email?projectId=demo`, { method: 'GET' })).status).toBe(404)
  })

  test('may send at most 64 kB of JSON', async () => {
    expect((await post(json, undefined, undefined, JSON.stringify({ pad: 'a'.repeat(70_000) }))).status).toBe(413)
    expect((await post(json, undefined, undefined, '{')).status).toBe(400)
  })

  test('get a response that other pages cannot read and that is not stored', async () => {
    const { headers } = await post({ ...json, Origin: walletOrigin })
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(headers.get('Cache-Control')).toBe('no-store')
  })

  test('rejects an origin that the project does not allow, and sends no email', async () => {
    const params = { email: 'name@example.com', deviceToken: newToken() }
    expect((await call(app, 'email', { ...params, origin: 'https://evil.test' })).status).toBe(403)
    expect((await call(app, 'email', { ...params, origin: 'Your bank <b>' })).status).toBe(403)
    expect(app.mails).toHaveLength(0)
  })

  test('rejects sign-in by email if the project disables it', async () => {
    await app.projects.update('strict', { features: { email: false } })
    const params = { email: 'name@example.com', deviceToken: newToken(), origin }
    expect((await call(app, 'email', params, { projectId: 'strict' })).status).toBe(403)
    expect((await call(app, 'email', params)).status).toBe(200)
  })

  test('rejects an invalid email address', async () => {
    for (const email of ['name@example', '@', '', `${'a'.repeat(300)}@example.com`]) {
      const params = { email, deviceToken: newToken(), origin }
      expect(await call(app, 'email', params)).toMatchObject({ status: 400, failure: 'INVALID_EMAIL' })
    }
    const otp = { flow: newToken(), otp: 'abc', deviceToken: newToken() }
    expect((await call(app, 'emailVerify', otp)).failure).toBe('WRONG_CODE')
    const unlike = await app.request(`${walletOrigin}/auth/email?projectId=demo`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"email":1}',
    })
    expect(unlike.status).toBe(400)
  })
})

describe('the waiting call', () => {
  test('responds when the link is approved', async () => {
    const email = 'name@example.com'
    await haveAccount(app, email)
    const { flow } = await succeed(app, 'email', { email, deviceToken: newToken(), origin })
    const waiting = succeed(app, 'emailDevice', { flow })
    await approve(app, linkIn(app, email))
    expect(await waiting).toEqual({ status: 'approved' })
  })

  test('reports an expired flow', async () => {
    expect(await call(app, 'emailDevice', { flow: newToken() })).toMatchObject({ failure: 'CODE_EXPIRED' })
  })
})

describe('the page behind the link', () => {
  const look = (token: string) => app.get(`${walletOrigin}/auth/device?token=${token}`)
  const begin = async () => {
    await haveAccount(app, 'name@example.com')
    await succeed(app, 'email', { email: 'name@example.com', deviceToken: newToken(), origin })
    return linkIn(app, 'name@example.com')
  }

  test('shows the site and the time of the request, and one button', async () => {
    const token = await begin()
    const response = await look(token)
    const html = await response.text()
    expect(response.status).toBe(200)
    expect(html).toContain('https://app.example.com')
    expect(html).toMatch(/\d{1,2} \w+ \d{4}, \d{2}:\d{2} UTC/)
    expect(html).toContain('<button type="submit">Approve this device</button>')
    expect(html).not.toMatch(/<script|style=|\son\w+=/)
  })

  test('forbids scripts and framing, and posts only to itself', async () => {
    const { headers } = await look(await begin())
    const policy = headers.get('Content-Security-Policy') ?? ''
    for (const part of ["default-src 'none'", "style-src 'self'", "form-action 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part)
    }
    expect(headers.get('Referrer-Policy')).toBe('strict-origin')
    expect(headers.get('Cache-Control')).toBe('no-store')
    for (const name of ['page.css', 'device.css']) expect((await app.get(`${walletOrigin}/${name}`)).status).toBe(200)
  })

  test('approves only from its own origin', async () => {
    const token = await begin()
    for (const headers of [{ Origin: 'https://evil.test' }, { Origin: 'null' }, { Origin: modalOrigin }]) {
      expect((await approve(app, token, headers)).status).toBe(403)
    }
    expect(app.mails).toHaveLength(1)
    const approved = await approve(app, token)
    expect(approved.status).toBe(200)
    expect(await approved.text()).toContain('Device approved')
    expect(app.mails).toHaveLength(2)
    expect(await (await look(token)).text()).toContain('Device approved')
    expect((await approve(app, token)).status).toBe(200)
    expect(app.mails).toHaveLength(2)
  })

  test('reports an expired or unknown link', async () => {
    const token = await begin()
    at += 30 * 60_000
    expect((await look(token)).status).toBe(410)
    expect((await look(newToken())).status).toBe(404)
    expect((await look('%22%3E%3Cscript%3E')).status).toBe(404)
    expect((await approve(app, token)).status).toBe(410)
    expect(app.mails).toHaveLength(1)
  })

  test('does not exist on the modal site', async () => {
    expect((await app.get(`${modalOrigin}/auth/device?token=${await begin()}`)).status).toBe(404)
  })
})

describe('a session', () => {
  test('requires its token', async () => {
    const { sessionToken, identityToken, user } = await signInByEmail(app, 'name@example.com')
    const again = await succeed(app, 'session', {}, { token: sessionToken })
    expect(again).toMatchObject({ sessionToken, user })
    for (const token of [identityToken, newToken(), '', `${sessionToken}=`, sessionToken.slice(1)]) {
      expect(await call(app, 'session', {}, { token })).toMatchObject({ status: 401, failure: 'SESSION_EXPIRED' })
    }
    expect((await call(app, 'session', {})).failure).toBe('SESSION_EXPIRED')
  })

  test('expires thirty days after its last use', async () => {
    const { sessionToken: token, expiresAt } = await signInByEmail(app, 'name@example.com')
    const day = 24 * 60 * 60_000
    expect(expiresAt).toBe(at + 30 * day)
    for (let week = 0; week < 8; week += 1) {
      at += 7 * day
      expect((await succeed(app, 'session', {}, { token })).expiresAt).toBe(at + 30 * day)
    }
    at += 30 * day
    expect((await call(app, 'session', {}, { token })).failure).toBe('SESSION_EXPIRED')
  })

  test('ends 180 days after the sign-in, however often it is used', async () => {
    const day = 24 * 60 * 60_000
    const { sessionToken: token } = await signInByEmail(app, 'name@example.com')
    const signedInAt = at
    for (let days = 25; days < 180; days += 25) {
      at = signedInAt + days * day
      const { expiresAt } = await succeed(app, 'session', {}, { token })
      expect(expiresAt).toBe(Math.min(at + 30 * day, signedInAt + 180 * day))
    }
    at = signedInAt + 180 * day
    expect((await call(app, 'session', {}, { token })).failure).toBe('SESSION_EXPIRED')
  })

  test('ends with sign-out, and its device stays known', async () => {
    const { sessionToken: token, deviceToken } = await signInByEmail(app, 'name@example.com')
    expect(await succeed(app, 'signOut', {}, { token })).toEqual({})
    expect((await call(app, 'session', {}, { token })).failure).toBe('SESSION_EXPIRED')
    at += 30_000
    const flow = await succeed(app, 'email', { email: 'name@example.com', deviceToken, origin })
    expect(flow.action).toBe('VERIFY_OTP')
  })

  test('has an identity token that anyone can verify', async () => {
    const { identityToken, user } = await signInByEmail(app, 'name@example.com')
    const published = await app.get(`${walletOrigin}/.well-known/jwks.json`)
    expect(published.headers.get('Access-Control-Allow-Origin')).toBe('*')
    const Jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })
    const jwks = Jwks.parse(await published.json())
    expect(jwks.keys.every((key) => !('d' in key))).toBe(true)
    const { payload, protectedHeader } = await jwtVerify(identityToken, createLocalJWKSet(jwks), {
      issuer: walletOrigin,
      audience: 'demo',
      currentDate: new Date(at),
    })
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: '1' })
    expect(payload.sub).toBe(user.id)
    expect(JSON.stringify(payload)).not.toContain('name')
  })

  test('tells a dapp’s server who signed in only if the wallet asks for it, with an address only if there is one', async () => {
    const { sessionToken: token } = await signInByEmail(app, 'name@example.com')
    const claimsFor = async (session: string, body: { readonly user?: boolean }) =>
      decodeJwt((await succeed(app, 'identityToken', { namespaces: [], ...body }, { token: session })).token)
    expect((await claimsFor(token, { user: true })).user).toEqual({ provider: 'email', email: 'name@example.com' })
    for (const body of [{}, { user: false }]) {
      const claims = JSON.stringify(await claimsFor(token, body))
      expect(claims).not.toContain('user')
      expect(claims).not.toContain('name@example.com')
    }
    const nameless = { provider: 'x', subject: '7', email: null, userName: 'ada' } as const
    const social = await app.auth.sessions.signIn(nameless, await ownDevice(), 'demo')
    expect((await claimsFor(social.sessionToken, { user: true })).user).toEqual({ provider: 'x' })
    expect(await call(app, 'identityToken', { namespaces: [], user: true })).toMatchObject({ status: 401 })
  })

  test('has identity tokens that live ten minutes, and never longer than itself', async () => {
    const { sessionToken: token, identityToken, expiresAt } = await signInByEmail(app, 'name@example.com')
    expect(decodeJwt(identityToken).exp).toBe(Math.floor(at / 1000) + 600)
    at += 9 * 60_000
    const renewed = await succeed(app, 'session', {}, { token })
    expect(decodeJwt(renewed.identityToken).exp).toBe(Math.floor(at / 1000) + 600)
    at = expiresAt - 60_000
    const identity = app.auth.identityTokens.sign({ userId: 'ada', projectId: 'demo', sessionEndsAt: expiresAt })
    expect(decodeJwt(await identity).exp).toBe(Math.floor(expiresAt / 1000))
  })
})

describe('confirmations', () => {
  const email = 'name@example.com'

  test('a code is valid only for its purpose and its session', async () => {
    const { sessionToken: token } = await signInByEmail(app, email)
    expect(await succeed(app, 'confirm', { purpose: 'export' }, { token })).toEqual({ needsCode: true })
    expect(app.mails.at(-1)?.subject).toContain('keys')
    const code = codeIn(app, email)
    const other = await signInByEmail(app, email)
    const session = await app.auth.sessions.open(token, await thumbprintOf(ownKey))
    const otherSession = await app.auth.sessions.open(other.sessionToken, await thumbprintOf(ownKey))
    const take = (...params: Parameters<typeof app.auth.sessions.takeConfirmation>) =>
      app.auth.sessions.takeConfirmation(...params)
    await expect(take(session, 'delete', code)).rejects.toThrow('expired')
    await expect(take(otherSession, 'export', code)).rejects.toThrow('expired')
    await expect(take(session, 'export', wrong(code))).rejects.toThrow('Wrong code')
    await expect(take(session, 'export')).rejects.toThrow('Wrong code')
    await take(session, 'export', code)
    await expect(take(session, 'export', code)).rejects.toThrow('already used')
  })

  test('an account without an email address needs a sign-in within the last ten minutes', async () => {
    const identity = { provider: 'github', subject: '1', email: null, userName: 'name' } as const
    const { sessionToken: token } = await app.auth.sessions.signIn(identity, await ownDevice(), 'demo')
    const session = await app.auth.sessions.open(token, await thumbprintOf(ownKey))
    expect(await succeed(app, 'confirm', { purpose: 'export' }, { token })).toEqual({ needsCode: false })
    await app.auth.sessions.takeConfirmation(session, 'export')
    at += 10 * 60_000 + 1
    expect((await call(app, 'confirm', { purpose: 'export' }, { token })).failure).toBe('SIGN_IN_TOO_OLD')
    await expect(app.auth.sessions.takeConfirmation(session, 'export')).rejects.toMatchObject({
      reasons: [{ name: 'SIGN_IN_TOO_OLD' }],
    })
    expect((await call(app, 'session', {}, { token })).status).toBe(200)
  })

  test('limits the tries of an account in a day, over all codes and sessions', async () => {
    const { sessionToken: token, user } = await signInByEmail(app, email)
    const { sessionToken: second } = await signInByEmail(app, email)
    const tryAt = async (own: string) => {
      await succeed(app, 'confirm', { purpose: 'export' }, { token: own })
      const code = codeIn(app, email)
      const session = await app.auth.sessions.open(own, await thumbprintOf(ownKey))
      const names: string[] = []
      for (let count = 0; count < 5; count += 1) {
        const refused: unknown = await app.auth.sessions
          .takeConfirmation(session, 'export', wrong(code))
          .catch((error: unknown) => error)
        names.push(refused instanceof Problem ? (refused.reasons[0]?.name ?? '') : 'taken')
      }
      at += 6 * 60_000
      return { session, code, names }
    }
    const tries = [await tryAt(token), await tryAt(second), await tryAt(token), await tryAt(second)]
    expect(tries.flatMap(({ names }) => names)).toEqual(Array.from({ length: 20 }, () => 'WRONG_CODE'))
    // After 24 minutes no try came back.
    const { session, code, names } = await tryAt(token)
    expect(new Set(names)).toEqual(new Set(['TOO_MANY_ATTEMPTS']))
    await expect(app.auth.sessions.takeConfirmation(session, 'export', code)).rejects.toMatchObject({
      reasons: [{ name: 'TOO_MANY_ATTEMPTS' }],
    })
    const other = await signInByEmail(app, 'other@example.com')
    expect(other.user.id).not.toBe(user.id)
    await succeed(app, 'confirm', { purpose: 'export' }, { token: other.sessionToken })
    const otherSession = await app.auth.sessions.open(other.sessionToken, await thumbprintOf(ownKey))
    await app.auth.sessions.takeConfirmation(otherSession, 'export', codeIn(app, 'other@example.com'))
  })

  test('limits confirmation emails to one per thirty seconds', async () => {
    const { sessionToken: token } = await signInByEmail(app, email)
    await succeed(app, 'confirm', { purpose: 'export' }, { token })
    expect(await call(app, 'confirm', { purpose: 'export' }, { token })).toMatchObject({
      status: 429,
      failure: 'EMAIL_COOLDOWN',
      retryAfter: 30,
    })
  })
})

describe('change of address', () => {
  const from = 'name@example.com'
  const to = 'new@example.com'

  test('requires a code from the old address and a code from the new one', async () => {
    const { sessionToken: token, user, deviceToken } = await signInByEmail(app, from)
    expect(await succeed(app, 'emailChange', { email: to }, { token })).toEqual({ action: 'VERIFY_PRIMARY_OTP' })
    expect(app.mails.at(-1)?.to).toBe(from)
    expect((await call(app, 'emailChangeSecondary', { otp: codeIn(app, from) }, { token })).failure).toBe(
      'CODE_EXPIRED',
    )
    expect((await call(app, 'emailChangePrimary', { otp: wrong(codeIn(app, from)) }, { token })).failure).toBe(
      'WRONG_CODE',
    )
    await succeed(app, 'emailChangePrimary', { otp: codeIn(app, from) }, { token })
    expect(app.mails.at(-1)?.to).toBe(to)
    expect((await succeed(app, 'session', {}, { token })).user.email).toBe(from)
    expect(await succeed(app, 'emailChangeSecondary', { otp: codeIn(app, to) }, { token })).toEqual({
      newEmail: to,
      undoUntil: at + 7 * 24 * 60 * 60_000,
      isProven: true,
    })
    for (const address of [from, to])
      expect(app.mails.findLast((mail) => mail.to === address)?.subject).toBe('Your email address was changed')
    expect((await succeed(app, 'session', {}, { token })).user).toEqual({ ...user, email: to })
    at += 30_000
    const flow = await succeed(app, 'email', { email: to, deviceToken, origin })
    expect(flow.action).toBe('VERIFY_OTP')
    const signedIn = await succeed(app, 'emailVerify', { flow: flow.flow, otp: codeIn(app, to), deviceToken })
    expect(signedIn.user.id).toBe(user.id)
  })

  test('a repeated request continues at the second step', async () => {
    const { sessionToken: token } = await signInByEmail(app, from)
    await succeed(app, 'emailChange', { email: to }, { token })
    expect((await call(app, 'emailChange', { email: to }, { token })).failure).toBe('EMAIL_COOLDOWN')
    await succeed(app, 'emailChangePrimary', { otp: codeIn(app, from) }, { token })
    at += 30_000
    expect(await succeed(app, 'emailChange', { email: to }, { token })).toEqual({ action: 'VERIFY_SECONDARY_OTP' })
    at += 10 * 60_000
    expect(await succeed(app, 'emailChange', { email: to }, { token })).toEqual({ action: 'VERIFY_PRIMARY_OTP' })
  })

  test('1. a code that the user typed for one new address confirms no other', async () => {
    const { sessionToken: token } = await signInByEmail(app, from)
    await succeed(app, 'emailChange', { email: to }, { token })
    const typed = codeIn(app, from)
    at += 30_000
    // A hostile modal asks for another address while the user types.
    await succeed(app, 'emailChange', { email: 'thief@example.com' }, { token })
    expect((await call(app, 'emailChangePrimary', { otp: typed }, { token })).failure).toBeDefined()
    const newest = codeIn(app, from)
    expect((await call(app, 'emailChangePrimary', { otp: newest, email: to }, { token })).failure).toBe('CODE_EXPIRED')
    expect(app.mails.filter((mail) => mail.to === 'thief@example.com')).toEqual([])
  })

  test('4. tries at the first code count with the other confirmations of the account in a day', async () => {
    const { sessionToken: token } = await signInByEmail(app, from)
    const failures: (string | undefined)[] = []
    for (let mail = 0; mail < 5; mail += 1) {
      await succeed(app, 'emailChange', { email: to }, { token })
      const otp = wrong(codeIn(app, from))
      for (let count = 0; count < 5; count += 1)
        failures.push((await call(app, 'emailChangePrimary', { otp }, { token })).failure)
      at += 6 * 60_000
    }
    expect(failures.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'WRONG_CODE'))
    expect(new Set(failures.slice(20))).toEqual(new Set(['TOO_MANY_ATTEMPTS']))
    const { sessionToken: second } = await signInByEmail(app, from)
    await succeed(app, 'confirm', { purpose: 'delete' }, { token: second })
    const otp = codeIn(app, from)
    expect((await call(app, 'deleteAccount', { otp }, { token: second })).failure).toBe('TOO_MANY_ATTEMPTS')
  })

  test('2. the first step holds for the address that it was for', async () => {
    const { sessionToken: token } = await signInByEmail(app, from)
    await succeed(app, 'emailChange', { email: to }, { token })
    await succeed(app, 'emailChangePrimary', { otp: codeIn(app, from), email: to }, { token })
    at += 30_000
    const other = { email: 'thief@example.com' }
    expect(await succeed(app, 'emailChange', other, { token })).toEqual({ action: 'VERIFY_PRIMARY_OTP' })
    expect((await call(app, 'emailChangeSecondary', { otp: '000000', email: to }, { token })).failure).toBe(
      'CODE_EXPIRED',
    )
  })

  test('1. two calls at once: the step is that of the address whose code was spent', async () => {
    const { sessionToken: token } = await signInByEmail(app, from)
    await succeed(app, 'emailChange', { email: to }, { token })
    const otp = codeIn(app, from)
    at += 30_000
    await Promise.all([
      call(app, 'emailChangePrimary', { otp }, { token }),
      call(app, 'emailChange', { email: 'thief@example.com' }, { token }),
    ])
    at += 30_000
    const next = await succeed(app, 'emailChange', { email: 'thief@example.com' }, { token })
    expect(next).toEqual({ action: 'VERIFY_PRIMARY_OTP' })
  })

  test('reveals that an address is taken only to a user who reads its email', async () => {
    await signInByEmail(app, to)
    const { sessionToken: token } = await signInByEmail(app, from)
    await succeed(app, 'emailChange', { email: to }, { token })
    await succeed(app, 'emailChangePrimary', { otp: codeIn(app, from) }, { token })
    const otp = codeIn(app, to)
    expect((await call(app, 'emailChangeSecondary', { otp: wrong(otp) }, { token })).failure).toBe('WRONG_CODE')
    expect(await call(app, 'emailChangeSecondary', { otp }, { token })).toMatchObject({
      status: 409,
      failure: 'EMAIL_TAKEN',
    })
    expect((await succeed(app, 'session', {}, { token })).user.email).toBe(from)
  })

  test('is refused for a social account, and for another session', async () => {
    const identity = { provider: 'github', subject: '1', email: from, userName: null } as const
    const social = await app.auth.sessions.signIn(identity, await ownDevice(), 'demo')
    expect((await call(app, 'emailChange', { email: to }, { token: social.sessionToken })).status).toBe(403)
    const one = await signInByEmail(app, from)
    const two = await signInByEmail(app, from)
    await succeed(app, 'emailChange', { email: to }, { token: one.sessionToken })
    const otp = codeIn(app, from)
    expect((await call(app, 'emailChangePrimary', { otp }, { token: two.sessionToken })).failure).toBe('CODE_EXPIRED')
  })
})

describe('attacks', () => {
  test('a length that compares with nothing is a bad request, not a fault of the server', async () => {
    const hostile = { length: { valueOf: 1, toString: 1 } }
    const body: WalletApiBody<'email'> = JSON.parse(JSON.stringify({ email: hostile, deviceToken: newToken(), origin }))
    expect((await call(app, 'email', body)).status).toBe(400)
  })

  test('of a thousand codes against one address, five are checked, and other users are not affected', async () => {
    const email = 'victim@example.com'
    await haveAccount(app, email)
    const deviceToken = newToken()
    const { flow } = await succeed(app, 'email', { email, deviceToken, origin })
    await approve(app, linkIn(app, email))
    const right = codeIn(app, email)
    const seen = new Map<string, number>()
    const headers = { DPoP: await proofOf(app, `${walletOrigin}${walletApi.emailVerify.path}`) }
    for (let from = 0; from < 1_000; from += 250) {
      const tries = Array.from({ length: 250 }, (_, index) => String(from + index).padStart(6, '0'))
      const results = await Promise.all(
        tries
          .filter((otp) => otp !== right)
          .map((otp) => call(app, 'emailVerify', { flow, otp, deviceToken }, { headers })),
      )
      for (const { failure = 'none' } of results) seen.set(failure, (seen.get(failure) ?? 0) + 1)
      at += 10_000
    }
    expect(seen.get('WRONG_CODE')).toBe(5)
    expect([...seen.keys()].sort()).toEqual(['TOO_MANY_ATTEMPTS', 'WRONG_CODE'])
    at += 60_000
    expect((await call(app, 'emailVerify', { flow, otp: right, deviceToken })).status).not.toBe(200)
    expect((await signInByEmail(app, 'other@example.com')).status).toBe('signedIn')
  })

  test('nothing that the caller chooses is in an email or behind its link', async () => {
    const email = 'victim@example.com'
    await haveAccount(app, email)
    const userAgents = ['Mozilla/5.0 (Macintosh) Chrome/130.0.0.0', 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0', '']
    const chosen = [
      'https://call-our-helpline-now.preview.example.com',
      'https://example-helpline.vercel.app',
      modalOrigin,
    ]
    for (const [index, own] of chosen.entries()) {
      const more = { headers: { 'User-Agent': userAgents[index] ?? '' } }
      const deviceToken = newToken()
      const { flow } = await succeed(app, 'email', { email, deviceToken, origin: own }, more)
      const page = await (await app.get(`${walletOrigin}/auth/device?token=${linkIn(app, email)}`)).text()
      const approved = await (await approve(app, linkIn(app, email))).text()
      const otp = codeIn(app, email)
      const { sessionToken: token } = await succeed(app, 'emailVerify', { flow, otp, deviceToken }, more)
      await succeed(app, 'confirm', { purpose: 'export' }, { token, ...more })
      const mails = app.mails.map(({ subject, text, html }) => [subject, text, html])
      const text = [page, approved, ...mails.flat()].join('\n')
      for (const words of ['helpline', 'Chrome', 'Firefox', 'macOS', 'Windows', modalOrigin])
        expect(text).not.toContain(words)
      app.mails.length = 0
      at += 60_000
    }
  })

  test('a flood of one call does not block other calls from the same address', async () => {
    const small = await startTestApp({ ...callLimit({ perSecond: 1, burst: 5 }, () => at) })
    const body = { flow: newToken(), otp: '000000', deviceToken: newToken() }
    const results = []
    for (let count = 0; count < 7; count += 1) results.push((await call(small, 'emailVerify', body)).failure)
    expect(results.slice(-2)).toEqual(['TOO_MANY_ATTEMPTS', 'TOO_MANY_ATTEMPTS'])
    const params = { email: 'other@example.com', deviceToken: newToken(), origin }
    expect((await call(small, 'email', params)).status).toBe(200)
    await small.close()
  })

  test('the callers of one IPv6 /48 share eight times what each has', async () => {
    let subscriber = 0
    const small = await startTestApp({
      ...callLimit({ perSecond: 1, burst: 5 }, () => at),
      clientAddress: () => `2001:db8:1:${subscriber}::/64`,
    })
    const body = { flow: newToken(), otp: '000000', deviceToken: newToken() }
    const failures = []
    for (subscriber = 0; subscriber < 41; subscriber += 1)
      failures.push((await call(small, 'emailVerify', body)).failure)
    expect(failures.slice(-2)).toEqual(['CODE_EXPIRED', 'TOO_MANY_ATTEMPTS'])
    await small.close()
  })

  test('unknown paths share one limit', async () => {
    const small = await startTestApp({ ...callLimit({ perSecond: 1, burst: 5 }, () => at) })
    const headers = { Origin: walletOrigin }
    const statuses = []
    for (let count = 0; count < 6; count += 1) {
      const area = count % 2 === 0 ? 'auth' : 'wallet'
      statuses.push((await small.post(`${walletOrigin}/${area}/${newToken()}?projectId=demo`, {}, headers)).status)
    }
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429])
    await small.close()
  })

  test('no address, code, token or link appears in any table or log line', async () => {
    const email = 'needle.in.haystack@example.com'
    await haveAccount(app, email)
    const deviceToken = newToken()
    const { flow } = await succeed(app, 'email', { email, deviceToken, origin })
    const link = linkIn(app, email)
    await app.get(`${walletOrigin}/auth/device?token=${link}`)
    await approve(app, link)
    const otp = codeIn(app, email)
    await call(app, 'emailVerify', { flow, otp: wrong(otp), deviceToken })
    const signedIn = await succeed(app, 'emailVerify', { flow, otp, deviceToken })
    const token = signedIn.sessionToken
    await succeed(app, 'emailChange', { email: 'second.needle@example.com' }, { token })
    await succeed(app, 'confirm', { purpose: 'export' }, { token })
    const confirmation = codeIn(app, email)
    const secrets = [
      email,
      'needle',
      deviceToken,
      flow,
      link,
      otp,
      confirmation,
      token,
      signedIn.identityToken,
      '203.0.113.9',
    ]

    const rows = await everyRow(app.database)
    expect([...rows.keys()]).toEqual(
      expect.arrayContaining(['users', 'devices', 'sessions', 'codes', 'email_flows', 'rate_limits']),
    )
    const dump = [...rows.values()].join()
    expect(dump).toContain(signedIn.user.id)
    for (const secret of secrets) {
      expect(dump).not.toContain(secret)
      expect(app.log()).not.toContain(secret)
    }
    expect(app.log()).toContain('/auth/email')
  })
})
