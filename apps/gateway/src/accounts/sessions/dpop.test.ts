import { walletApi } from '@postern/protocol'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { exportJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessions } from '../../platform/db/schema'
import { createPostgresLimiter } from '../../platform/limits/postgres'
import { createSecrets, hashSecret, newSecretKeys } from '../../platform/secrets/secrets'
import { startTestApp, type TestApp, walletOrigin } from '../../testing/app'
import { noon } from '../../testing/clock'
import {
  approve,
  call,
  codeIn,
  haveAccount,
  linkIn,
  newKey,
  newToken,
  ownKey,
  proofOf,
  signInByEmail,
  succeed,
} from '../../testing/sign-in'
import { newWallet } from '../../testing/wallet'
import { createProofs } from './dpop'

let app: TestApp
let at = noon
let token: string
let authShare: string
beforeAll(async () => {
  app = await startTestApp({ now: () => at })
  const { sessionToken, user } = await signInByEmail(app, 'ada@example.com')
  const wallet = newWallet()
  const shares = await wallet.split('create', user.id)
  await succeed(app, 'createWallet', { addresses: wallet.addresses, shares }, { token: sessionToken })
  token = sessionToken
  authShare = shares.authShare
})
afterAll(() => app.close())

const shareUrl = `${walletOrigin}${walletApi.deviceShare.path}`

/** A call for the share with exactly these headers. */
async function askShare(headers: Record<string, string>) {
  const answer = await app.request(`${shareUrl}?projectId=demo`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: '{}',
  })
  const text = await answer.text()
  return { status: answer.status, text, headers: answer.headers, hasShare: text.includes(authShare) }
}

const askWith = async (proof: string) => askShare({ Authorization: `DPoP ${token}`, DPoP: proof })

describe('a copied session token', () => {
  test('gets no share without a proof, in either scheme', async () => {
    for (const scheme of ['Bearer', 'DPoP']) {
      const answer = await askShare({ Authorization: `${scheme} ${token}` })
      expect(answer).toMatchObject({ status: 401, hasShare: false })
      expect(answer.text).toContain('SESSION_EXPIRED')
    }
  })

  test('gets no share with a proof by another key, and the owner stays signed in', async () => {
    const key = newKey()
    const answer = await askWith(await proofOf(app, shareUrl, { token, key }))
    expect(answer).toMatchObject({ status: 401, hasShare: false })
    expect(answer.text).toContain('SESSION_EXPIRED')
    expect(await succeed(app, 'deviceShare', {}, { token })).toEqual({ authShare })
  })

  test.each(Object.keys(walletApi))('%s: no call with a session works without its key', async (name) => {
    const { path, session } = new Map(Object.entries(walletApi)).get(name) ?? walletApi.session
    if (!session) return
    const answer = await app.request(`${walletOrigin}${path}?projectId=demo`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `DPoP ${token}`,
        DPoP: await proofOf(app, `${walletOrigin}${path}`, { token, key: newKey() }),
      },
      body: '{}',
    })
    expect(answer.status).toBe(401)
  })

  test('of a session from before keys is refused with every key', async () => {
    const old = await signInByEmail(app, 'old@example.com')
    await app.database.orm
      .update(sessions)
      .set({ keyThumbprint: null })
      .where(eq(sessions.id, hashSecret(old.sessionToken)))
    expect(await call(app, 'session', {}, { token: old.sessionToken })).toMatchObject({ failure: 'SESSION_EXPIRED' })
  })
})

describe('a sign-in', () => {
  test('needs a proof, and spends no code without one', async () => {
    const [email, deviceToken] = ['bob@example.com', newToken()]
    await haveAccount(app, email)
    const { flow } = await succeed(app, 'email', { email, deviceToken, origin: 'https://app.example.com' })
    await approve(app, linkIn(app, email))
    const body = { flow, otp: codeIn(app, email), deviceToken }
    for (let tries = 0; tries < 6; tries += 1)
      expect(await call(app, 'emailVerify', body, { headers: { DPoP: 'none' } })).toMatchObject({
        failure: 'DPOP_REFUSED',
      })
    const key = newKey()
    const { sessionToken } = await succeed(app, 'emailVerify', body, { key })
    await succeed(app, 'session', {}, { token: sessionToken, key })
    expect(await call(app, 'session', {}, { token: sessionToken })).toMatchObject({ failure: 'SESSION_EXPIRED' })
  })
})

describe('a proof', () => {
  test('is accepted as made', async () => {
    expect(await askWith(await proofOf(app, shareUrl, { token }))).toMatchObject({ status: 200, hasShare: true })
  })

  test('1. is an ES256 JWT by the key that it names', async () => {
    const claims = { jti: newToken(), htm: 'POST', htu: shareUrl, nonce: app.auth.proofs.nonce() }
    const jwk = await exportJWK(ownKey.publicKey)
    const signed = (header: { typ?: string; alg: string; jwk?: typeof jwk }, key = ownKey.privateKey) =>
      new SignJWT(claims).setProtectedHeader(header).sign(key)
    const proof = await proofOf(app, shareUrl, { token })
    const [head, body] = proof.split('.')
    const none = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk })).toString('base64url')
    for (const forged of [
      await signed({ alg: 'ES256', jwk }),
      await signed({ typ: 'dpop+jwt', alg: 'ES256' }),
      await signed({ typ: 'dpop+jwt', alg: 'ES256', jwk }, newKey().privateKey),
      await signed({ typ: 'dpop+jwt', alg: 'ES256', jwk: await exportJWK(ownKey.privateKey) }),
      `${none}.${body}.`,
      `${head}.${body}.`,
      `${proof}${'A'.repeat(2_048)}`,
    ])
      expect(await askWith(forged)).toMatchObject({ status: 401, hasShare: false })
  })

  test('1. no header makes the gateway fail', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.base64String()), fc.jsonValue(), async (parts, jwk) => {
        const head = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'ES256', jwk })).toString('base64url')
        for (const proof of [parts.join('.'), `${head}.e30.${parts[0] ?? ''}`])
          expect((await askWith(proof)).status).toBe(401)
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['another path', { htu: `${walletOrigin}/wallet` }],
    ['another site', { htu: 'https://evil.test/wallet/device/share' }],
    ['a query', { htu: `${shareUrl}?projectId=demo` }],
    ['another method', { htm: 'GET' }],
    ['another token', { ath: hashSecret('another token') }],
    ['no token', { ath: undefined }],
    ['a short id', { jti: 'x' }],
    ['no id', { jti: undefined }],
    ['no nonce', { nonce: undefined }],
    ['an invented nonce', { nonce: `${Math.floor(at / 1000).toString(36)}.x` }],
  ])('2. for %s is refused', async (_, claims) => {
    const answer = await askWith(await proofOf(app, shareUrl, { token, claims }))
    expect(answer).toMatchObject({ status: 401, hasShare: false })
    expect(answer.text).toContain('DPOP_REFUSED')
  })

  test('3. is as old as its nonce; what the visitor’s clock says does not matter', async () => {
    const nonce = app.auth.proofs.nonce()
    for (const iat of [0, 4_102_444_800])
      expect(await askWith(await proofOf(app, shareUrl, { token, claims: { iat } }))).toMatchObject({ status: 200 })
    at += 5 * 60_000
    expect(await askWith(await proofOf(app, shareUrl, { token, claims: { nonce } }))).toMatchObject({ status: 200 })
    at += 1_000
    const late = await askWith(await proofOf(app, shareUrl, { token, claims: { nonce } }))
    expect(late).toMatchObject({ status: 401, hasShare: false })
    const next = late.headers.get('DPoP-Nonce') ?? ''
    expect(await askWith(await proofOf(app, shareUrl, { token, claims: { nonce: next } }))).toMatchObject({
      status: 200,
    })
  })

  test('4. is used once, also by two calls at once and at another replica', async () => {
    const proof = await proofOf(app, shareUrl, { token })
    const answers = await Promise.all(Array.from({ length: 8 }, () => askWith(proof)))
    expect(answers.filter(({ hasShare }) => hasShare)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7)

    const hash = createSecrets(newSecretKeys()).hashCode
    const replica = () => {
      const limits = createPostgresLimiter({ orm: app.database.orm, hash, now: () => at })
      return createProofs({ limits, hash, walletOrigin, now: () => at })
    }
    const [one, two] = [replica(), replica()]
    const made = await proofOf(app, shareUrl, { token, claims: { nonce: one.nonce() } })
    const call = { method: 'POST', path: walletApi.deviceShare.path, token }
    await one.use(await one.verify(made, call))
    const copy = await two.verify(made, call)
    await expect(two.use(copy)).rejects.toMatchObject({ reasons: [{ name: 'DPOP_REFUSED' }] })
    // Its row lasts as long as its nonce.
    at += 5 * 60_000
    await expect(two.use(await two.verify(made, call))).rejects.toMatchObject({ status: 401 })
    at += 1_000
    await expect(two.verify(made, call)).rejects.toMatchObject({ status: 401 })
  })

  test('5. is refused with a nonce for the next one, and every answer has one', async () => {
    const answer = await askWith(await proofOf(app, shareUrl, { token, claims: { nonce: '' } }))
    expect(answer.headers.get('WWW-Authenticate')).toContain('use_dpop_nonce')
    const nonce = answer.headers.get('DPoP-Nonce') ?? ''
    const again = await askWith(await proofOf(app, shareUrl, { token, claims: { nonce } }))
    expect(again).toMatchObject({ status: 200, hasShare: true })
    expect(again.headers.get('DPoP-Nonce')).toMatch(/^[0-9a-z]+\./)
  })
})
