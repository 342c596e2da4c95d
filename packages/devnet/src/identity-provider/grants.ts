import { createHash, createPublicKey, randomBytes, timingSafeEqual } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose'
import { apple, appleKey, type Provider, secretOfClient } from './clients'
import { claimsOf, type Identity } from './identity'

export type Grant = {
  readonly provider: Provider
  readonly clientId: string
  readonly redirectUri: string
  /** PKCE (S256); absent if the client sent none. */
  readonly challenge?: string
  readonly nonce?: string
  readonly scope: string
  readonly identity: Identity
  /** In epoch ms. */
  readonly expiresAt: number
}

/** In ms. RFC 6749 §4.1.2 recommends at most ten minutes; providers use about one. */
export const codeLifetime = 60_000

const token = () => randomBytes(24).toString('base64url')

/** `take` returns a value once, `look` any number of times. */
export function createVault<T>() {
  const entries = new Map<string, T>()
  return {
    put(value: T): string {
      const key = token()
      entries.set(key, value)
      return key
    },
    look: (key: string) => entries.get(key),
    take(key: string): T | undefined {
      const value = entries.get(key)
      entries.delete(key)
      return value
    },
  }
}

/** RFC 7636 §4.6. */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  const made = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const expected = Buffer.from(challenge)
  return (
    /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) && made.length === expected.length && timingSafeEqual(made, expected)
  )
}

export type ClientProof = { readonly id: string; readonly secret: string }

/** Whether the client proves itself by its secret; for Apple by a token that its key signed. */
export async function isClient(provider: Provider, { id, secret }: ClientProof): Promise<boolean> {
  const own = secretOfClient(provider, id)
  if (own === null) return false
  if (provider !== 'apple') return secret === own
  try {
    const { protectedHeader, payload } = await jwtVerify(secret, createPublicKey(appleKey()), {
      algorithms: ['ES256'],
      issuer: apple.teamId,
      subject: id,
      audience: 'https://appleid.apple.com',
      requiredClaims: ['iat', 'exp'],
    })
    // Apple accepts at most six months.
    return protectedHeader.kid === apple.keyId && (payload.exp ?? 0) - (payload.iat ?? 0) <= 15_777_000
  } catch {
    return false
  }
}

export type IdTokens = {
  keys(): Promise<{ readonly keys: readonly JWK[] }>
  sign(grant: {
    readonly issuer: string
    readonly provider: 'google' | 'apple'
    readonly clientId: string
    readonly identity: Identity
    readonly nonce?: string | undefined
    /** Signs with an unpublished key under the published id. */
    readonly forged: boolean
  }): Promise<string>
}

const keyId = 'devnet-1'

/** The keys are generated on first use, because that is slow. */
export function createIdTokens({ now = Date.now }: { readonly now?: () => number } = {}): IdTokens {
  const make = () => generateKeyPair('RS256')
  let own: ReturnType<typeof make> | undefined
  const pair = () => {
    own ??= make()
    return own
  }
  return {
    async keys() {
      const { publicKey } = await pair()
      return { keys: [{ ...(await exportJWK(publicKey)), kid: keyId, alg: 'RS256', use: 'sig' }] }
    },
    async sign({ issuer, provider, clientId, identity, nonce, forged }) {
      const { privateKey } = forged ? await make() : await pair()
      const issuedAt = Math.floor(now() / 1_000)
      return new SignJWT({ ...claimsOf(provider, identity), ...(nonce !== undefined && { nonce }) })
        .setProtectedHeader({ alg: 'RS256', kid: keyId })
        .setIssuer(issuer)
        .setAudience(clientId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + 3_600)
        .sign(privateKey)
    },
  }
}
