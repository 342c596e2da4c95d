/**
 * The JWT that identifies the user (SESSION_UPDATE carries it). It grants no access, unlike the session token, which
 * never leaves the wallet. A dapp's backend can verify it with the wallet site's `/.well-known/jwks.json`.
 *
 * It lives ten minutes and never longer than its session, because a verifier does not see that a session was ended.
 */
import { randomUUID } from 'node:crypto'
import { exportJWK, type JWK, SignJWT } from 'jose'
import type { IdentityKey } from '../secrets/secrets'

const lifetimeMs = 10 * 60_000

export type IdentityTokens = {
  /** @param sessionEndsAt epoch ms */
  sign(claims: { readonly userId: string; readonly projectId: string; readonly sessionEndsAt: number }): Promise<string>
  jwks(): Promise<{ readonly keys: readonly JWK[] }>
}

export function createIdentityTokens(options: {
  readonly keys: readonly [IdentityKey, ...IdentityKey[]]
  readonly issuer: string
  readonly now: () => number
}): IdentityTokens {
  const { keys, issuer, now } = options
  const [today] = keys
  const seconds = (time: number) => Math.floor(time / 1000)
  return {
    sign: ({ userId, projectId, sessionEndsAt }) =>
      new SignJWT()
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: today.id })
        .setIssuer(issuer)
        .setAudience(projectId)
        .setSubject(userId)
        .setIssuedAt(seconds(now()))
        .setNotBefore(seconds(now()))
        .setExpirationTime(seconds(Math.min(now() + lifetimeMs, sessionEndsAt)))
        .setJti(randomUUID())
        .sign(today.privateKey),
    async jwks() {
      const published = keys.map(async ({ id, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid: id,
        alg: 'EdDSA',
        use: 'sig',
      }))
      return { keys: await Promise.all(published) }
    },
  }
}
