import { byNamespace } from '@postern/protocol/namespaces'
import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import type { Namespace } from '../types'

export type IdentityTokenOptions = {
  /** Origin of the gateway's wallet site. */
  readonly issuer: string
  readonly projectId: string
  /** Default: fetched from the issuer's `/.well-known/jwks.json`. */
  readonly keys?: JWTVerifyGetKey | undefined
}

export type IdentifiedUser = {
  /** The same in every session, different in every project. */
  readonly id: string
  /** For Bitcoin, the public key that addresses derive from. */
  readonly addresses: { readonly [N in Namespace]?: string | undefined }
  /** Set if the page asked and the user agreed. `email`: verified by the gateway. */
  readonly user?: { readonly provider: string; readonly email?: string | undefined } | undefined
  /** Epoch ms. */
  readonly expiresAt: number
}

const Claims = z.object({
  sub: z.string().check(z.minLength(1)),
  exp: z.number(),
  addresses: z.object(byNamespace(() => z.optional(z.string()))),
  user: z.optional(z.object({ provider: z.string(), email: z.optional(z.string()) })),
})

const keySets = new Map<string, JWTVerifyGetKey>()

/**
 * Returns the user of a token from `postern.getIdentityToken()`.
 * Null if malformed, expired, or of another project or gateway. Rejects if the keys cannot be fetched.
 *
 * @example
 * const user = await verifyIdentityToken(token, { issuer: 'https://wallet.example.com', projectId: 'demo' })
 * if (user === null) return new Response('Sign in first', { status: 401 })
 */
export async function verifyIdentityToken(
  token: string,
  { issuer, projectId, keys }: IdentityTokenOptions,
): Promise<IdentifiedUser | null> {
  try {
    const { payload } = await jwtVerify(token, keys ?? keysOf(issuer), {
      issuer,
      audience: projectId,
      algorithms: ['EdDSA'],
      typ: 'postern-identity+jwt',
      requiredClaims: ['exp', 'sub'],
    })
    const claims = Claims.safeParse(payload)
    if (!claims.success) return null
    const { sub, exp, addresses, user } = claims.data
    return { id: sub, addresses, ...(user !== undefined && { user }), expiresAt: exp * 1000 }
  } catch (error) {
    if (isRefused(error)) return null
    throw error
  }
}

function keysOf(issuer: string): JWTVerifyGetKey {
  const keySet = keySets.get(issuer) ?? createRemoteJWKSet(new URL('/.well-known/jwks.json', issuer))
  keySets.set(issuer, keySet)
  return keySet
}

/** The token is refused, as opposed to a failed fetch of keys. */
function isRefused(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' && /^ERR_(JWT|JWS|JWKS_NO_MATCHING_KEY|JOSE_ALG|JOSE_NOT)/.test(code)
}
