import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePorts } from '../http/free-ports'
import { apple, appleKey, clientIdOf, clientSecretOf, type Provider, providers } from './clients'
import { type IdentityProvider, startIdentityProvider } from './start-identity-provider'

const { port } = await freePorts('port')
const base = `http://127.0.0.1:${port}`
const redirectUri = 'http://wallet.postern.localhost:4400/auth/social/callback/any'
const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')

const requestOf = (provider: Provider, more: Record<string, string> = {}) => ({
  response_type: 'code',
  client_id: clientIdOf(provider),
  redirect_uri: redirectUri,
  scope: 'email',
  state: 'the-state',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  nonce: 'the-nonce',
  ...more,
})
const ada = { name: 'Ada', email: 'ada@example.com', verified: 'yes' }

/** The user's click on Allow or Deny. */
async function decide(provider: Provider, answer: 'allow' | 'deny', more: Record<string, string> = {}) {
  const body = new URLSearchParams({ ...requestOf(provider), ...ada, answer, ...more })
  const response = await fetch(`${base}/${provider}/authorize`, { method: 'POST', body, redirect: 'manual' })
  return { response, location: new URL(response.headers.get('location') ?? 'about:blank') }
}
const codeOf = async (provider: Provider, more: Record<string, string> = {}) =>
  (await decide(provider, 'allow', more)).location.searchParams.get('code') ?? ''

const noon = Date.UTC(2026, 10, 21, 12)
// The library that verifies tokens keeps the system's clock.
beforeAll(() => vi.setSystemTime(noon))
afterAll(() => vi.useRealTimers())

const appleSecret = (issuer: string = apple.teamId) =>
  new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: apple.keyId })
    .setIssuer(issuer)
    .setSubject(clientIdOf('apple'))
    .setAudience('https://appleid.apple.com')
    .setIssuedAt(noon / 1_000)
    .setExpirationTime(noon / 1_000 + 300)
    .sign(appleKey())

async function exchange(provider: Provider, code: string, more: Record<string, string> = {}) {
  const id = clientIdOf(provider)
  const secret = provider === 'apple' ? await appleSecret() : clientSecretOf(provider)
  const isBasic = provider === 'x' || provider === 'discord'
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
  const body = new URLSearchParams({ ...form, ...(!isBasic && { client_id: id, client_secret: secret }), ...more })
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(isBasic && { authorization: `Basic ${btoa(`${id}:${secret}`)}` }),
  }
  const response = await fetch(`${base}/${provider}/token`, { method: 'POST', body, headers })
  const answer: Record<string, string> = await response.json()
  return { status: response.status, answer }
}
const ask = async (path: string, token = ''): Promise<unknown> =>
  (await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } })).json()
const set = (what: 'fault' | 'opener', body: object) =>
  fetch(`${base}/devnet/${what}`, { method: 'POST', body: JSON.stringify(body) })

describe('startIdentityProvider', () => {
  let running: IdentityProvider
  beforeAll(async () => {
    running = await startIdentityProvider({ port })
  })
  afterAll(() => running.stop())
  afterEach(async () => {
    for (const provider of providers) await set('fault', { provider, kind: 'none' })
  })

  test('the page asks who signs in, and its form may redirect to the client', async () => {
    const response = await fetch(`${base}/google/authorize?${new URLSearchParams(requestOf('google'))}`)
    const page = await response.text()
    expect(page).toContain('Sign in with Google')
    expect(response.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://wallet.postern.localhost:4400",
    )
    expect(page).toContain('name="state" value="the-state"')
  })

  test.each(providers.filter((provider) => provider !== 'apple'))(
    '1. %s issues a code that works once',
    async (provider) => {
      const { location } = await decide(provider, 'allow')
      expect(location.href).toContain(redirectUri)
      expect(location.searchParams.get('state')).toBe('the-state')
      const code = location.searchParams.get('code') ?? ''
      expect((await exchange(provider, code)).answer.access_token).toBeTruthy()
      expect((await exchange(provider, code)).answer.access_token).toBeUndefined()
    },
  )

  test.each<[string, Record<string, string>]>([
    ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect URI', { redirect_uri: 'http://wallet.postern.localhost:4400/other' }],
    ['another secret', { client_secret: 'guessed' }],
  ])('1. %s gets no token', async (_, more) => {
    const { status, answer } = await exchange('google', await codeOf('google'), more)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(answer.access_token).toBeUndefined()
  })

  test('1. a code of one provider is invalid at another', async () => {
    expect((await exchange('discord', await codeOf('x'))).answer).toEqual({ error: 'invalid_grant' })
  })

  test('2. a denial redirects to the client', async () => {
    expect((await decide('facebook', 'deny')).location.searchParams.get('error_reason')).toBe('user_denied')
    expect((await decide('google', 'deny')).location.searchParams.get('error')).toBe('access_denied')
  })

  test.each<[string, Record<string, string>]>([
    ['another client', { client_id: 'unknown' }],
    ['an unregistered redirect URI', { redirect_uri: 'https://evil.example/callback' }],
  ])('2. does not redirect for %s', async (_, more) => {
    const { response } = await decide('google', 'allow', more)
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  })

  test('3. X requires PKCE', async () => {
    const body = new URLSearchParams({ ...requestOf('x'), ...ada, answer: 'allow' })
    body.delete('code_challenge')
    const response = await fetch(`${base}/x/authorize`, { method: 'POST', body, redirect: 'manual' })
    expect(response.headers.get('location')).toContain('error=invalid_request')
  })

  test('3. Apple uses form_post and requires a client secret signed by its key', async () => {
    const { response } = await decide('apple', 'allow', { response_mode: 'form_post' })
    const page = await response.text()
    expect(page).toContain(`action="${redirectUri}"`)
    const code = /name="code" value="([^"]+)"/.exec(page)?.[1] ?? ''
    expect((await exchange('apple', code, { client_secret: await appleSecret('UNKNOWN') })).status).toBe(401)
    expect((await exchange('apple', code)).answer.id_token).toBeTruthy()
  })

  test('4. ID tokens verify and have the nonce', async () => {
    const { answer } = await exchange('google', await codeOf('google'))
    const { payload } = await jwtVerify(answer.id_token ?? '', createRemoteJWKSet(new URL(`${base}/google/keys`)), {
      issuer: `${base}/google`,
      audience: clientIdOf('google'),
      algorithms: ['RS256'],
    })
    expect(payload).toMatchObject({ nonce: 'the-nonce', email: 'ada@example.com', email_verified: true, name: 'Ada' })
  })

  test('user info has each provider’s shape', async () => {
    const userInfo = async (provider: Provider, more: Record<string, string> = {}, path = 'userinfo') =>
      ask(`/${provider}/${path}`, (await exchange(provider, await codeOf(provider, more))).answer.access_token)
    const id = expect.stringMatching(/^\d+$/)
    expect(await userInfo('github')).toMatchObject({ login: 'ada', id: expect.any(Number), email: null })
    expect(await userInfo('github', {}, 'emails')).toEqual([
      { email: 'ada@example.com', primary: true, verified: true, visibility: 'private' },
    ])
    expect(await userInfo('facebook')).toEqual({ id, name: 'Ada', email: 'ada@example.com' })
    expect(await userInfo('facebook', { verified: 'no' })).toEqual({ id, name: 'Ada' })
    expect(await userInfo('x')).toEqual({ data: { id, name: 'Ada', username: 'ada' } })
    expect(await userInfo('discord', { verified: 'no' })).toMatchObject({ id, verified: false, global_name: 'Ada' })
    expect(await userInfo('discord')).toEqual(await userInfo('discord'))
    expect(await ask('/discord/userinfo', 'guessed')).toEqual({ message: 'Bad credentials' })
  })

  test('Facebook checks appsecret_proof if present', async () => {
    const { answer } = await exchange('facebook', await codeOf('facebook'))
    const token = answer.access_token ?? ''
    const proof = createHmac('sha256', clientSecretOf('facebook')).update(token).digest('hex')
    expect(await ask(`/facebook/userinfo?appsecret_proof=${proof}`, token)).toMatchObject({ name: 'Ada' })
    expect(await ask('/facebook/userinfo?appsecret_proof=00', token)).toHaveProperty('error')
  })

  test('5. corrupts, fails or delays responses as set', async () => {
    await set('fault', { provider: 'google', kind: 'bad-state' })
    expect((await decide('google', 'allow')).location.searchParams.get('state')).not.toBe('the-state')
    await set('fault', { provider: 'google', kind: 'bad-signature' })
    const keys = createRemoteJWKSet(new URL(`${base}/google/keys`))
    const forged = await exchange('google', await codeOf('google'))
    await expect(jwtVerify(forged.answer.id_token ?? '', keys)).rejects.toThrow(/signature/)
    await set('fault', { provider: 'google', kind: 'bad-nonce' })
    const { payload } = await jwtVerify((await exchange('google', await codeOf('google'))).answer.id_token ?? '', keys)
    expect(payload.nonce).not.toBe('the-nonce')
    const code = await codeOf('discord')
    await set('fault', { provider: 'discord', kind: 'down' })
    expect((await fetch(`${base}/discord/token`, { method: 'POST' })).status).toBe(503)
    await set('fault', { provider: 'discord', kind: 'slow', ms: 30 })
    expect((await exchange('discord', code)).status).toBe(200)
  })

  test('5. the page severs its opener if configured', async () => {
    const policy = async () =>
      (await fetch(`${base}/google/authorize?${new URLSearchParams(requestOf('google'))}`)).headers.get(
        'cross-origin-opener-policy',
      )
    expect(await policy()).toBeNull()
    await set('opener', { provider: 'google', severed: true })
    expect(await policy()).toBe('same-origin')
    await set('opener', { provider: 'google', severed: false })
  })
})
