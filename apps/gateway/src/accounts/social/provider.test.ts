import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { SocialProvider } from '@postern/protocol'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noon } from '../../testing/clock'
import { endpointsOf } from './endpoints'
import { createProvider, ProviderError } from './provider'

/** Each test sets the response. */
let answer: (request: IncomingMessage, response: ServerResponse) => void
let server: Server
let base: string
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  base = `http://127.0.0.1:${address.port}`
})
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    }),
)
beforeEach(() => {
  answer = (_, response) => response.writeHead(404).end()
})

const exchange = { code: 'code', codeVerifier: 'v'.repeat(43), nonce: 'n'.repeat(43) }

function provider(name: SocialProvider, timeout = 20_000) {
  return createProvider({
    provider: name,
    credentials: { clientId: 'client', clientSecret: 'secret' },
    endpoints: endpointsOf(name, base),
    redirectUri: 'https://wallet.example.com/auth/social/callback/x',
    fetch,
    now: () => noon,
    timeout,
  })
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof ProviderError) return error.reason
    throw error
  }
  throw new Error('It did not fail')
}

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))

describe('5. limits', () => {
  test('the timeout covers all requests together', async () => {
    const startedAt = performance.now() // real time: the timeout is of the system's timers.
    answer = () => {}
    expect(await reasonOf(provider('github', 200).identify(exchange))).toBe('no answer')
    answer = (request, response) => {
      if (request.url?.endsWith('/token')) json(response, { access_token: 'a' })
    }
    expect(await reasonOf(provider('github', 200).identify(exchange))).toBe('no answer')
    // real time: as above.
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  test('does not follow redirects', async () => {
    answer = (_, response) => response.writeHead(302, { Location: 'https://evil.test/' }).end()
    expect(await reasonOf(provider('x').identify(exchange))).toBe('no answer')
  })

  test('cuts off an endless response', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.on('error', () => {})
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }
    expect(await reasonOf(provider('discord').identify(exchange))).toBe('no answer')
  })

  test.each<[string, number, string, string]>([
    ['a page', 200, '<html>', 'no answer'],
    ['nothing', 200, '', 'no answer'],
    ['a list', 200, '[]', 'token refused'],
    ['a refusal', 400, '{"error":"invalid_grant"}', 'token refused'],
    ['a refusal that says 200', 200, '{"error":"bad_verification_code"}', 'token refused'],
    ['a failure', 503, '{}', 'no answer'],
  ])('fails on %s', async (_, status, body, reason) => {
    answer = (_, response) => response.writeHead(status).end(body)
    expect(await reasonOf(provider('github').identify(exchange))).toBe(reason)
  })
})

describe('3. without an ID token', () => {
  const users: [SocialProvider, unknown][] = [
    ['github', { login: 'no id' }],
    ['github', { id: { $ne: null }, login: 'x' }],
    ['facebook', { id: '../1', name: 'x' }],
    ['x', { id: '1' }],
    ['discord', { error: 'x' }],
  ]
  test.each(users)('rejects a user of %s without a valid id', async (name, user) => {
    answer = (request, response) => json(response, request.url?.includes('/token') ? { access_token: 'a' } : user)
    expect(await reasonOf(provider(name).identify(exchange))).toBe('no identity')
  })

  test('leaves out an invalid name or address', async () => {
    answer = (request, response) =>
      json(
        response,
        request.url?.includes('/token')
          ? { access_token: 'a' }
          : { id: '7', username: { toString: 1 }, email: 'not an address', verified: true },
      )
    expect(await provider('discord').identify(exchange)).toEqual({ subject: '7', email: null, userName: null })
  })
})

describe('2. an ID token', () => {
  // Once: a pair takes a third of a second.
  let own: GenerateKeyPairResult
  let stranger: GenerateKeyPairResult
  beforeAll(async () => {
    own = await generateKeyPair('RS256', { extractable: true })
    stranger = await generateKeyPair('RS256')
  })
  const claims = { sub: 'ada', nonce: exchange.nonce, email: 'ada@example.com', email_verified: true, name: 'Ada' }

  async function identifyWith(
    change: (token: SignJWT) => SignJWT,
    more: { claims?: object; algorithm?: string; stranger?: boolean } = {},
  ) {
    const keys = { keys: [{ ...(await exportJWK(own.publicKey)), kid: '1', alg: 'RS256', use: 'sig' }] }
    const token = change(
      new SignJWT({ ...claims, ...more.claims })
        .setProtectedHeader({ alg: 'RS256', kid: '1' })
        .setIssuer(`${base}/google`)
        .setAudience('client')
        .setIssuedAt(noon / 1000)
        .setExpirationTime(noon / 1000 + 3_600),
    )
    const idToken = await token.sign((more.stranger ? stranger : own).privateKey)
    answer = (request, response) =>
      json(response, request.url?.endsWith('/keys') ? keys : { access_token: 'a', id_token: idToken })
    return provider('google').identify(exchange)
  }
  const same = (token: SignJWT) => token

  test('identifies the user if it is valid', async () => {
    expect(await identifyWith(same)).toEqual({ subject: 'ada', email: 'ada@example.com', userName: 'Ada' })
  })

  test.each<[string, Parameters<typeof identifyWith>]>([
    ['by another key', [same, { stranger: true }]],
    ['of another issuer', [(token) => token.setIssuer('https://evil.test')]],
    ['for another client', [(token) => token.setAudience('other')]],
    ['that has expired', [(token) => token.setExpirationTime(noon / 1000 - 300)]],
    ['with another nonce', [same, { claims: { nonce: 'x' } }]],
    ['without a nonce', [same, { claims: { nonce: undefined } }]],
    ['without a subject', [same, { claims: { sub: undefined } }]],
    ['with an empty subject', [same, { claims: { sub: '' } }]],
  ])('%s does not sign in', async (_, parameters) => {
    expect(await reasonOf(identifyWith(...parameters))).toBe('bad ID token')
  })

  test('is rejected without a signature', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const payload = { ...claims, iss: `${base}/google`, aud: 'client', iat: 1, exp: 9_999_999_999 }
    answer = (_, response) =>
      json(response, { access_token: 'a', id_token: `${part({ alg: 'none' })}.${part(payload)}.` })
    expect(await reasonOf(provider('google').identify(exchange))).toBe('bad ID token')
  })

  test('is rejected if missing', async () => {
    answer = (_, response) => json(response, { access_token: 'a' })
    expect(await reasonOf(provider('google').identify(exchange))).toBe('bad ID token')
  })
})
