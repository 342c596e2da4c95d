import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerOidc } from './answer-oidc'
import { type OidcProvider, startOidcProvider } from './start-oidc-provider'

const redirectUri = 'http://127.0.0.1:4480/sign-in/callback'

describe('startOidcProvider', () => {
  let provider: OidcProvider
  beforeAll(async () => {
    provider = await startOidcProvider({ port: 0, redirectUri })
  })
  afterAll(() => provider.stop())

  const ask = (more: Record<string, string> = {}) =>
    `${provider.issuer}/auth?${new URLSearchParams({
      response_type: 'code',
      client_id: provider.clientId,
      redirect_uri: redirectUri,
      scope: 'openid email',
      state: 'the-state',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      ...more,
    })}`

  test('redirects to the client with a code, or with what the user denied', async () => {
    const allowed = await answerOidc(ask(), { email: 'ann@example.com', groups: 'admins' })
    expect(allowed.origin + allowed.pathname).toBe(redirectUri)
    expect(allowed.searchParams.get('state')).toBe('the-state')
    expect(allowed.searchParams.get('code')).toBeTruthy()
    const denied = await answerOidc(ask(), { answer: 'deny' })
    expect(denied.searchParams.get('error')).toBe('access_denied')
  })

  test('gives no code to another callback, or without PKCE', async () => {
    await expect(answerOidc(ask({ redirect_uri: 'https://evil.example/' }), {})).rejects.toThrow('answered 400')
    const plain = await answerOidc(ask({ code_challenge: '', code_challenge_method: '' }), {})
    expect(plain.searchParams.get('error')).toBe('invalid_request')
  })
})
