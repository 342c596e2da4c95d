/**
 * JWTs that identify the user. They grant no access.
 *
 * 1. The modal's (in SESSION_UPDATE) names the user by the wallet's id, and never reaches a page.
 * 2. A dapp's server verifies the other with `/.well-known/jwks.json`. Its user id differs per project: dapps cannot
 *    compare users. Its `typ` differs: neither token passes for the other.
 * 3. Both live ten minutes: a verifier does not see a session end.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { Namespace, SharedUser } from '@postern/protocol'
import { exportJWK, type JWK, SignJWT } from 'jose'
import type { IdentityKey } from '../../platform/secrets/secrets'

const lifetimeMs = 10 * 60_000
/** `@postern/siwx/server` requires it. */
const identityTokenType = 'postern-identity+jwt'

export type IdentityTokens = {
  /** @param sessionEndsAt epoch ms */
  sign(claims: { readonly userId: string; readonly projectId: string; readonly sessionEndsAt: number }): Promise<string>
  /** 2. `addresses`: for Bitcoin the public key, from which the addresses of its networks derive. */
  signForDapp(claims: {
    readonly userId: string
    readonly projectId: string
    readonly sessionEndsAt: number
    readonly addresses: { readonly [N in Namespace]?: string }
    readonly user?: SharedUser | undefined
  }): Promise<string>
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
  const signed = (jwt: SignJWT, typ: string, projectId: string, sessionEndsAt: number) =>
    jwt
      .setProtectedHeader({ alg: 'EdDSA', typ, kid: today.id })
      .setIssuer(issuer)
      .setAudience(projectId)
      .setIssuedAt(seconds(now()))
      .setNotBefore(seconds(now()))
      .setExpirationTime(seconds(Math.min(now() + lifetimeMs, sessionEndsAt)))
      .setJti(randomUUID())
      .sign(today.privateKey)
  return {
    sign: ({ userId, projectId, sessionEndsAt }) =>
      signed(new SignJWT().setSubject(userId), 'JWT', projectId, sessionEndsAt),
    signForDapp: ({ userId, projectId, sessionEndsAt, addresses, user }) =>
      signed(
        new SignJWT({ addresses, ...(user !== undefined && { user }) }).setSubject(subjectIn(projectId, userId)),
        identityTokenType,
        projectId,
        sessionEndsAt,
      ),
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

/** The user's id is random and secret, so its hash cannot be guessed. */
function subjectIn(projectId: string, userId: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['postern-identity', projectId, userId]))
    .digest('base64url')
}
