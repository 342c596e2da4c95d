import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { noon } from '../testing/sign-in'
import { verifyIdentityToken } from './identity-token'

const issuer = 'https://wallet.example'
const projectId = 'demo'
const addresses = { eip155: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'EdDSA' }] })

// The library that verifies tokens keeps the system's clock.
beforeAll(() => vi.setSystemTime(noon))
afterAll(() => vi.useRealTimers())

type Change = {
  readonly payload?: JWTPayload
  readonly header?: Readonly<Record<string, string>>
  readonly issuer?: string
  readonly audience?: string
  readonly seconds?: number
  readonly key?: typeof privateKey
}

/** As the gateway signs it. */
function tokenWith({ payload = {}, header = {}, seconds = 600, ...change }: Change = {}): Promise<string> {
  return new SignJWT({ sub: 'u', addresses, ...payload })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'postern-identity+jwt', kid: 'k1', ...header })
    .setIssuer(change.issuer ?? issuer)
    .setAudience(change.audience ?? projectId)
    .setExpirationTime(noon / 1000 + seconds)
    .sign(change.key ?? privateKey)
}

const verify = (token: string) => verifyIdentityToken(token, { issuer, projectId, keys })

test('a token names the user, the addresses and its end', async () => {
  expect(await verify(await tokenWith())).toEqual({ id: 'u', addresses, expiresAt: noon + 600_000 })
})

test('a token tells how the user signed in, if they agreed to that', async () => {
  for (const user of [{ provider: 'google', email: 'name@example.com' }, { provider: 'x' }])
    expect(await verify(await tokenWith({ payload: { user } }))).toMatchObject({ id: 'u', user })
})

test.each<[string, Change]>([
  ['of another project', { audience: 'other' }],
  ['of another gateway', { issuer: 'https://wallet.evil.example' }],
  ['that has expired', { seconds: -1 }],
  ['of another kind, such as the modal’s', { header: { typ: 'JWT' } }],
  ['by an unknown key', { header: { kid: 'k2' } }],
  ['without a user', { payload: { sub: '' } }],
  ['whose addresses are no object', { payload: { addresses: 'x' } }],
  ['whose email is no text', { payload: { user: { provider: 'email', email: ['name@example.com'] } } }],
  ['that names no way to sign in', { payload: { user: { email: 'name@example.com' } } }],
])('a token %s is refused', async (_, change) => {
  expect(await verify(await tokenWith(change))).toBeNull()
})

test('a token by another key is refused, and so is what is no token', async () => {
  const other = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  expect(await verify(await tokenWith({ key: other.privateKey }))).toBeNull()
  for (const text of ['', 'a.b.c', 'x'.repeat(5000)]) expect(await verify(text)).toBeNull()
})

test('keys that cannot be fetched are no refusal', async () => {
  const failing = verifyIdentityToken(await tokenWith(), {
    issuer,
    projectId,
    keys: () => Promise.reject(new TypeError('fetch failed')),
  })
  await expect(failing).rejects.toThrow('fetch failed')
})
