import * as fc from 'fast-check'
import { base64url, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { clock, iso, noon, visitor } from '../testing/sign-in'
import { generateSigningKey, keysFromJwks } from './keys'
import { createSessions, memoryRevokedSessions, type SessionsOptions } from './sessions'

const day = 24 * 60 * 60_000
const key = await generateSigningKey()
const optionsWith = (changes: Partial<SessionsOptions> = {}): SessionsOptions => ({
  keys: keysFromJwks([key]),
  issuer: 'https://api.example.com',
  audience: 'example',
  now: () => noon,
  ...changes,
})

describe('createSessions', () => {
  it('check returns what issue wrote', async () => {
    const sessions = createSessions(optionsWith())
    const anna = visitor()
    const session = sessions.begin(anna.message())
    expect(session).toMatchObject({ chainId: 'eip155:1', address: anna.address, expiresAt: noon + 7 * day })
    const { token, expiresAt } = await sessions.issue([session])
    expect(expiresAt).toBe(noon + 7 * day)
    expect(await sessions.check(token)).toEqual({ sessions: [session], expiresAt })
  })

  it('1. rejects a token without a signature, or signed with the public key as HMAC secret', async () => {
    const sessions = createSessions(optionsWith())
    const claims = { sessions: [sessions.begin(visitor().message())] }
    const unsigned = new UnsecuredJWT(claims)
      .setIssuer('https://api.example.com')
      .setAudience('example')
      .setSubject('eip155:1:0x0')
      .setIssuedAt(noon / 1000)
      .setExpirationTime(noon / 1000 + 60)
      .encode()
    expect(await sessions.check(unsigned)).toBeNull()

    const [published] = (await sessions.jwks()).keys
    const publicKey = await importJWK({ ...published, ext: true }, 'EdDSA')
    if (publicKey instanceof Uint8Array) throw new Error('Not a key pair')
    const secrets = [new TextEncoder().encode(await exportSPKI(publicKey)), base64url.decode(published?.x ?? '')]
    for (const secret of secrets) {
      const forged = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'siwx+jwt', kid: published?.kid ?? '' })
        .setIssuer('https://api.example.com')
        .setAudience('example')
        .setSubject('eip155:1:0x0')
        .setIssuedAt(noon / 1000)
        .setExpirationTime(noon / 1000 + 60)
        .sign(secret)
      expect(await sessions.check(forged)).toBeNull()
    }
  })

  it('1. rejects another algorithm even with a published key', async () => {
    const pair = await generateKeyPair('ES256', { extractable: true })
    const other = { ...(await exportJWK(pair.publicKey)), kid: 'other', alg: 'ES256', use: 'sig' }
    const keys = { ...keysFromJwks([key]), jwks: async () => ({ keys: [key, other] }) }
    const sessions = createSessions(optionsWith({ keys }))
    const token = await new SignJWT({ sessions: [sessions.begin(visitor().message())] })
      .setProtectedHeader({ alg: 'ES256', typ: 'siwx+jwt', kid: 'other' })
      .setIssuer('https://api.example.com')
      .setAudience('example')
      .setSubject('eip155:1:0x0')
      .setIssuedAt(noon / 1000)
      .setExpirationTime(noon / 1000 + 60)
      .sign(pair.privateKey)
    expect(await sessions.check(token)).toBeNull()
    expect((await sessions.jwks()).keys.map(({ kid }) => kid)).toEqual([key.kid])
  })

  it('1. rejects a token with an altered payload', async () => {
    const sessions = createSessions(optionsWith())
    const { token } = await sessions.issue([sessions.begin(visitor().message())])
    const [header = '', , signature = ''] = token.split('.')
    const { token: other } = await sessions.issue([sessions.begin(visitor().message())])
    expect(await sessions.check([header, other.split('.')[1], signature].join('.'))).toBeNull()
  })

  it('1. rejects a token signed by a foreign key, even under a known kid', async () => {
    const sessions = createSessions(optionsWith())
    const own = await generateSigningKey()
    const stranger = createSessions(optionsWith({ keys: keysFromJwks([own]) }))
    const sameName = createSessions(optionsWith({ keys: keysFromJwks([{ ...own, kid: key.kid ?? '' }]) }))
    for (const signer of [stranger, sameName]) {
      const { token } = await signer.issue([signer.begin(visitor().message())])
      expect(await sessions.check(token)).toBeNull()
    }
  })

  it.each([
    ['issuer', { issuer: 'https://api.example.org' }],
    ['audience', { audience: 'another' }],
  ])('2. rejects a token of another %s', async (_, changes) => {
    const other = createSessions(optionsWith(changes))
    const { token } = await other.issue([other.begin(visitor().message())])
    expect(await other.check(token)).not.toBeNull()
    expect(await createSessions(optionsWith()).check(token)).toBeNull()
  })

  it('2. rejects another token type signed by the same key', async () => {
    const sessions = createSessions(optionsWith())
    const { kid, privateKey } = await optionsWith().keys.current()
    const identity = await new SignJWT({ sessions: [sessions.begin(visitor().message())] })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid })
      .setIssuer('https://api.example.com')
      .setAudience('example')
      .setSubject('a user')
      .setIssuedAt(noon / 1000)
      .setExpirationTime(noon / 1000 + 60)
      .sign(privateKey)
    expect(await sessions.check(identity)).toBeNull()
  })

  it('3. ends each session at its own time, and the token with the last', async () => {
    const { now, pass } = clock()
    const sessions = createSessions(optionsWith({ now, lifetime: 2 * day }))
    const short = sessions.begin(visitor().message({ expirationTime: iso(noon + day) }))
    const long = sessions.begin(visitor().message({ expirationTime: iso(noon + 30 * day) }))
    expect([short.expiresAt, long.expiresAt]).toEqual([noon + day, noon + 2 * day])
    const { token } = await sessions.issue([short, long])
    pass(day)
    expect(await sessions.check(token)).toEqual({ sessions: [long], expiresAt: noon + 2 * day })
    pass(day)
    expect(await sessions.check(token)).toBeNull()
  })

  it('3. reissuing prolongs nothing', async () => {
    const { now, pass } = clock()
    const sessions = createSessions(optionsWith({ now }))
    const session = sessions.begin(visitor().message())
    pass(6 * day)
    expect(await sessions.issue([session])).toMatchObject({ expiresAt: noon + 7 * day })
  })

  it('4. revoking ends a session in every token that has it', async () => {
    const sessions = createSessions(optionsWith({ revoked: memoryRevokedSessions({ now: () => noon }) }))
    const [one, two] = [
      sessions.begin(visitor().message({ nonce: 'aaaaaaaa' })),
      sessions.begin(visitor().message({ nonce: 'bbbbbbbb' })),
    ]
    const stolen = await sessions.issue([one])
    const { token } = await sessions.issue([one, two])
    await sessions.revoke([one])
    expect(await sessions.check(stolen.token)).toBeNull()
    expect(await sessions.check(token)).toMatchObject({ sessions: [two] })
  })

  it('5. accepts tokens of the previous key, and publishes both', async () => {
    const next = await generateSigningKey()
    const before = createSessions(optionsWith())
    const after = createSessions(optionsWith({ keys: keysFromJwks([next, key]) }))
    const { token } = await before.issue([before.begin(visitor().message())])
    expect(await after.check(token)).not.toBeNull()
    expect((await after.jwks()).keys.map(({ kid }) => kid)).toEqual([next.kid, key.kid])
    const { token: newer } = await after.issue([after.begin(visitor().message())])
    expect(await after.check(newer)).not.toBeNull()
    const dropped = createSessions(optionsWith({ keys: keysFromJwks([next]) }))
    expect(await dropped.check(token)).toBeNull()
  })

  it('publishes no private member, even if the keys include one', async () => {
    const keys = { ...keysFromJwks([key]), jwks: async () => ({ keys: [{ ...key, k: 'x', p: 'y' }] }) }
    const [published] = (await createSessions(optionsWith({ keys })).jwks()).keys
    expect(Object.keys(published ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  })

  it('returns null for anything that is not a token', async () => {
    const sessions = createSessions(optionsWith())
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(fc.base64String(), { minLength: 3, maxLength: 3 }).map((parts) => parts.join('.')),
        ),
        async (text) => {
          expect(await sessions.check(text)).toBeNull()
        },
      ),
    )
    expect(await sessions.check('a'.repeat(1_000_000))).toBeNull()
  })

  it('rejects if the keys are unavailable', async () => {
    const sessions = createSessions(optionsWith())
    const { token } = await sessions.issue([sessions.begin(visitor().message())])
    const keys = { ...keysFromJwks([key]), jwks: () => Promise.reject(new Error('The store is down')) }
    await expect(createSessions(optionsWith({ keys })).check(token)).rejects.toThrow('The store is down')
  })
})

describe('memoryRevokedSessions', () => {
  it('forgets expired entries, and scans at most once a minute', async () => {
    const { now, pass } = clock()
    let looks = 0
    const revoked = memoryRevokedSessions({
      now: () => {
        looks++
        return now()
      },
    })
    for (let count = 0; count < 1000; count++) await revoked.add(`short ${count}`, noon + 1000)
    expect(looks).toBeLessThan(3000)
    pass(60_001)
    await revoked.add('long', noon + day)
    expect([await revoked.has('short 0'), await revoked.has('long')]).toEqual([false, true])
  })

  it('throws when full, rather than let a session live on', async () => {
    const { now, pass } = clock()
    const revoked = memoryRevokedSessions({ now, limit: 2 })
    await revoked.add('one', noon + 1000)
    await revoked.add('two', noon + day)
    await expect(revoked.add('three', noon + day)).rejects.toThrow('full')
    await revoked.add('two', noon + day)
    expect([await revoked.has('one'), await revoked.has('two')]).toEqual([true, true])
    pass(60_001)
    await revoked.add('three', noon + day)
    expect(await revoked.has('three')).toBe(true)
  })
})

describe('keysFromJwks', () => {
  it('rejects a key that cannot sign', async () => {
    const { d: _, ...publicOnly } = key
    expect(() => keysFromJwks([publicOnly])).toThrow('private Ed25519')
    expect(() => keysFromJwks([{ kty: 'oct', k: 'AAAA', kid: 'a' }])).toThrow('private Ed25519')
  })
})
