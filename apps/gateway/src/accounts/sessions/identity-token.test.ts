import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { createSecrets, newSecretKeys, SecretKeys } from '../../platform/secrets/secrets'
import { noon } from '../../testing/clock'
import { createIdentityTokens } from './identity-token'

const issuer = 'https://wallet.postern.example'
const claims = { userId: 'u', projectId: 'demo', sessionEndsAt: Number.MAX_SAFE_INTEGER }
const keyNamed = (id: number) => ({ id: `k${id}`, key: randomBytes(32).toString('base64url') })

/** A gateway whose identity ring is the given one, as it reads it at a start. */
function tokensOf(identity: SecretKeys['identity']) {
  const keys = SecretKeys.parse({ ...newSecretKeys(), identity })
  return createIdentityTokens({ keys: createSecrets(keys).identityKeys, issuer, now: () => noon })
}

/** As a dapp's backend does it, with the keys that are published now. */
async function isAccepted(token: string, published: ReturnType<typeof tokensOf>): Promise<boolean> {
  const keySet = createLocalJWKSet({ keys: [...(await published.jwks()).keys] })
  return jwtVerify(token, keySet, {
    issuer,
    audience: 'demo',
    algorithms: ['EdDSA'],
    currentDate: new Date(noon),
  }).then(
    () => true,
    () => false,
  )
}

describe('the ring of identity keys', () => {
  test('any number of rotations refuses no token of a key in the ring, and every token of a removed one', () =>
    fc.assert(
      fc.asyncProperty(
        // For each rotation, how many earlier keys stay.
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 }),
        async (kept) => {
          let ring = [keyNamed(0)]
          const signed = [{ id: 'k0', token: await tokensOf(ring).sign(claims) }]
          for (const [index, count] of kept.entries()) {
            const current = keyNamed(index + 1)
            ring = [current, ...ring.slice(0, count)]
            const tokens = tokensOf(ring)
            signed.push({ id: current.id, token: await tokens.sign(claims) })
            for (const { id, token } of signed)
              expect(await isAccepted(token, tokens)).toBe(ring.some((key) => key.id === id))
          }
        },
      ),
      { numRuns: 25 },
    ))

  test('a key that takes the id of a removed one does not vouch for its tokens', async () => {
    const token = await tokensOf([keyNamed(1)]).sign(claims)
    expect(await isAccepted(token, tokensOf([keyNamed(1)]))).toBe(false)
  })

  test('publishes no private part', async () => {
    const { keys } = await tokensOf([keyNamed(2), keyNamed(1)]).jwks()
    expect(keys.map(({ kid }) => kid)).toEqual(['k2', 'k1'])
    for (const key of keys) expect(key).not.toHaveProperty('d')
  })
})
