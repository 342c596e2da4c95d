import { byNamespace } from '@postern/protocol/namespaces'
import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import type { Namespace } from '../types'

export type IdentityTokenOptions = {
  /** Origin of the gateway's wallet site. */
  readonly issuer: string
  readonly projectId: string
  /** Published keys. Default: fetched from the issuer's `/.well-known/jwks.json` when needed. */
  readonly keys?: JWTVerifyGetKey | undefined
}

/** The embedded wallet's user, as the gateway knows them. */
export type IdentifiedUser = {
  /** The same in each session, different in each project. */
  readonly id: string
  /** By namespace, of those that the dapp is connected to. For Bitcoin the public key, from which addresses derive. */
  readonly addresses: { readonly [N in Namespace]?: string | undefined }
  /** If the page asked for it and the user agreed. `email`: only if the gateway knows that it is the user's. */
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

/** By issuer. A set caches its keys, and fetches them again for an unknown key. */
const keySets = new Map<string, JWTVerifyGetKey>()

/**
 * Returns the user of a token from `postern.getIdentityToken()`, or null.
 * Null: malformed, expired, or of another project or gateway. Rejects if the keys cannot be fetched.
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
  const known = keySets.get(issuer) ?? createRemoteJWKSet(new URL('/.well-known/jwks.json', issuer))
  keySets.set(issuer, known)
  return known
}

/** Whether jose found a bad token, rather than no key set. */
function isRefused(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' && /^ERR_(JWT|JWS|JWKS_NO_MATCHING_KEY|JOSE_ALG|JOSE_NOT)/.test(code)
}
