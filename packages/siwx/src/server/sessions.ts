import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import type { CaipNetworkId, SignInMessage } from '../types'
import { ChainId } from './chain-id'
import { publicKeys, type SigningKeys } from './keys'
import { maxFieldLength } from './verify-sign-in'

/** One account on one chain. */
export type ServerSession = {
  readonly chainId: CaipNetworkId
  readonly address: string
  readonly domain: string
  readonly uri: string
  readonly nonce: string
  /** ISO 8601. */
  readonly issuedAt?: string | undefined
  /** Epoch ms: the message's expiration, or earlier by `lifetime`. */
  readonly expiresAt: number
  /** A contract's signature. */
  readonly contract?: boolean | undefined
}

/** `expiresAt`: epoch ms, of the last session. */
export type CheckedToken = {
  readonly sessions: readonly ServerSession[]
  readonly expiresAt: number
}

export const sessionId = ({ nonce, chainId, address }: ServerSession): string => `${nonce} ${chainId} ${address}`

/** Sessions that ended early, shared by processes. */
export type RevokedSessions = {
  /** @param expiresAt epoch ms; the id may be dropped afterwards */
  add(id: string, expiresAt: number): Promise<void>
  has(id: string): Promise<boolean>
}

export type Sessions = {
  begin(data: SignInMessage, contract?: boolean): ServerSession
  /** @param sessions at least one, oldest first */
  issue(sessions: readonly ServerSession[]): Promise<{ readonly token: string; readonly expiresAt: number }>
  /** Null if the token is invalid or no session is left. */
  check(token: string): Promise<CheckedToken | null>
  revoke(sessions: readonly ServerSession[]): Promise<void>
  jwks(): Promise<JSONWebKeySet>
}

export type SessionsOptions = {
  readonly keys: SigningKeys
  /** This server's origin. */
  readonly issuer: string
  /** The dapp's origin. */
  readonly audience: string
  /** In ms. Default: seven days. */
  readonly lifetime?: number | undefined
  /** Default: in memory. */
  readonly revoked?: RevokedSessions | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
}

const oneMinute = 60_000
const sevenDays = 7 * 24 * 60 * oneMinute
/** In characters. */
export const maxTokenLength = 16_000
const text = z.string().check(z.minLength(1), z.maxLength(maxFieldLength))

const Claims = z.object({
  sessions: z.array(
    z.object({
      chainId: ChainId,
      address: text,
      domain: text,
      uri: text,
      nonce: text,
      issuedAt: z.optional(text),
      expiresAt: z.int(),
      contract: z.optional(z.boolean()),
    }),
  ),
})

/**
 * Issues and checks session tokens.
 *
 * 1. Only EdDSA with a published key is accepted, whatever the token declares (`alg: none`, HS256 with the public key).
 * 2. Issuer, audience and type must match: other tokens of the same keys are rejected.
 * 3. A token is valid until its last session expires. Reissuing prolongs no session.
 * 4. A revoked session disappears from every token, also from copies that an attacker had reissued.
 * 5. Tokens of a key stay valid while the key is published.
 */
export function createSessions(options: SessionsOptions): Sessions {
  const { keys, issuer, audience, lifetime = sevenDays, now = Date.now } = options
  const revoked = options.revoked ?? memoryRevokedSessions({ now })
  let cachedKeys: { of: JSONWebKeySet; find: ReturnType<typeof createLocalJWKSet> } | undefined

  async function keySet(): Promise<ReturnType<typeof createLocalJWKSet>> {
    const of = await keys.jwks()
    if (cachedKeys?.of !== of) cachedKeys = { of, find: createLocalJWKSet(publicKeys(of)) }
    return cachedKeys.find
  }

  async function claimsOf(token: string): Promise<JWTPayload | null> {
    if (token === '' || token.length > maxTokenLength) return null
    const find = await keySet()
    try {
      const { payload } = await jwtVerify(token, find, {
        algorithms: ['EdDSA'],
        issuer,
        audience,
        typ: 'siwx+jwt',
        requiredClaims: ['exp', 'iat', 'sub'],
        currentDate: new Date(now()),
      })
      return payload
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }

  return {
    begin({ chainId, accountAddress, domain, uri, nonce, issuedAt, expirationTime }, contract) {
      const end = now() + lifetime
      const expiresAt = expirationTime === undefined ? end : Math.min(end, Date.parse(expirationTime))
      const who = { chainId, address: accountAddress, domain, uri, nonce, ...(issuedAt && { issuedAt }) }
      return { ...who, expiresAt, ...(contract && { contract }) }
    },

    async issue(sessions) {
      const [newest] = sessions.slice(-1)
      if (newest === undefined) throw new TypeError('A token needs a session')
      const { kid, privateKey } = await keys.current()
      const expiresAt = Math.max(...sessions.map((session) => session.expiresAt))
      const token = await new SignJWT({ sessions })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'siwx+jwt', kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(`${newest.chainId}:${newest.address}`)
        .setIssuedAt(Math.floor(now() / 1000))
        .setExpirationTime(Math.ceil(expiresAt / 1000))
        .setJti(crypto.randomUUID())
        .sign(privateKey)
      return { token, expiresAt }
    },

    async check(token) {
      const parsed = Claims.safeParse(await claimsOf(token))
      if (!parsed.success) return null
      const time = now()
      const revocations = parsed.data.sessions.map(async (session) =>
        session.expiresAt > time && !(await revoked.has(sessionId(session))) ? session : null,
      )
      const live = (await Promise.all(revocations)).filter((session) => session !== null)
      if (live.length === 0) return null
      return { sessions: live, expiresAt: Math.max(...live.map(({ expiresAt }) => expiresAt)) }
    },

    async revoke(sessions) {
      for (const session of sessions) await revoked.add(sessionId(session), session.expiresAt)
    },
    jwks: async () => publicKeys(await keys.jwks()),
  }
}

/** When full, throws rather than drop a live one. @param options.limit max ids */
export function memoryRevokedSessions(
  options: { readonly limit?: number | undefined; readonly now?: (() => number) | undefined } = {},
): RevokedSessions {
  const { limit = 250_000, now = Date.now } = options
  const ends = new Map<string, number>()
  let lastSweep = now()

  /** Not in order of expiry: scans all. */
  function sweep(time: number): void {
    if (time < lastSweep + oneMinute) return
    lastSweep = time
    for (const [old, end] of ends) if (end <= time) ends.delete(old)
  }

  return {
    async add(id, expiresAt) {
      sweep(now())
      if (ends.size >= limit && !ends.has(id)) throw new Error('The list of ended sessions is full')
      ends.set(id, expiresAt)
    },
    has: async (id) => ends.has(id),
  }
}
