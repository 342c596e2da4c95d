import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import type { CaipNetworkId, SignInMessage } from '../types'
import { publicKeys, type SigningKeys } from './keys'
import { longestField } from './verify-sign-in'

/** One account on one chain for which a visitor signed in, as the token carries it. */
export type ServerSession = {
  readonly chainId: CaipNetworkId
  readonly address: string
  readonly domain: string
  readonly uri: string
  /** Of the message that was signed. Sessions that a wallet signed at once, on several chains of one account, share it. */
  readonly nonce: string
  /** ISO 8601. */
  readonly issuedAt?: string | undefined
  /** When it ends, epoch ms: the message's expiration time or the lifetime of sessions, what comes first. */
  readonly expiresAt: number
  /** Where a chain was asked about the signature, which is good as long as the account's contract says so. */
  readonly contract?: boolean | undefined
}

/** What a good token says. `expiresAt` (epoch ms) is when its last session ends. */
export type CheckedToken = {
  readonly sessions: readonly ServerSession[]
  readonly expiresAt: number
}

/** One session's alone, which it keeps in whatever token: what revocations and proofs go by. */
export const sessionId = ({ nonce, chainId, address }: ServerSession): string => `${nonce} ${chainId} ${address}`

/** Sessions that ended before their time. Several processes share one. */
export type RevokedSessions = {
  /** @param expiresAt epoch ms; it may be forgotten after that */
  add(id: string, expiresAt: number): Promise<void>
  has(id: string): Promise<boolean>
}

/** What begins, issues, checks and ends the sessions of a server: {@link createSessions}. */
export type Sessions = {
  /** The session that a verified message begins. @param contract whether its chain was asked, as `verifySignIn` says */
  begin(data: SignInMessage, contract?: boolean): ServerSession
  /** One token for all sessions of a visitor. @param sessions at least one, the oldest first */
  issue(sessions: readonly ServerSession[]): Promise<{ readonly token: string; readonly expiresAt: number }>
  /** What a token says, without sessions that ended; null where it is not good, or none is left. */
  check(token: string): Promise<CheckedToken | null>
  /** Ends these in every token that carries them. */
  revoke(sessions: readonly ServerSession[]): Promise<void>
  /** The public keys, for whoever else checks tokens. */
  jwks(): Promise<JSONWebKeySet>
}

/** What {@link createSessions} takes. */
export type SessionsOptions = {
  readonly keys: SigningKeys
  /** Who signs tokens: this server's origin. */
  readonly issuer: string
  /** Whom they are for: the dapp. A token for one is refused by the other. */
  readonly audience: string
  /** How long a session lasts, ms, unless its message ends earlier. Default seven days. */
  readonly lifetime?: number | undefined
  /** Absent: this process's memory. */
  readonly revoked?: RevokedSessions | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
}

const oneMinute = 60_000
const sevenDays = 7 * 24 * 60 * oneMinute
/** Characters. Longer is none of ours, and is not worth a look. */
export const longestToken = 16_000
const text = z.string().check(z.minLength(1), z.maxLength(longestField))

const Claims = z.object({
  sessions: z.array(
    z.object({
      chainId: z.templateLiteral([z.enum(['eip155', 'solana', 'bip122']), ':', z.string()]),
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
 * Tokens for those who signed in.
 *
 * 1. Only EdDSA by a published key is good, whatever a token says of itself (`alg: none`, HS256 with the public key).
 * 2. Issuer, audience and type have to be these: other tokens of the same keys open nothing here.
 * 3. A token is good until its last session ends, and each of its sessions until its own end. Issuing anew prolongs none.
 * 4. A revoked session is gone from every token that carries it, also from one that somebody copied and had issued anew.
 * 5. Tokens of a key stay good as long as it is published.
 */
export function createSessions(options: SessionsOptions): Sessions {
  const { keys, issuer, audience, lifetime = sevenDays, now = Date.now } = options
  const revoked = options.revoked ?? memoryRevokedSessions({ now })
  let known: { of: JSONWebKeySet; find: ReturnType<typeof createLocalJWKSet> } | undefined

  async function keySet(): Promise<ReturnType<typeof createLocalJWKSet>> {
    const of = await keys.jwks()
    if (known?.of !== of) known = { of, find: createLocalJWKSet(publicKeys(of)) }
    return known.find
  }

  async function claimsOf(token: string): Promise<JWTPayload | null> {
    if (token === '' || token.length > longestToken) return null
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
      const asked = parsed.data.sessions.map(async (session) =>
        session.expiresAt > time && !(await revoked.has(sessionId(session))) ? session : null,
      )
      const live = (await Promise.all(asked)).filter((session) => session !== null)
      if (live.length === 0) return null
      return { sessions: live, expiresAt: Math.max(...live.map(({ expiresAt }) => expiresAt)) }
    },

    async revoke(sessions) {
      for (const session of sessions) await revoked.add(sessionId(session), session.expiresAt)
    },
    jwks: async () => publicKeys(await keys.jwks()),
  }
}

/**
 * In this process alone. Keeps an id as long as its session would have lived. When full it throws rather than forget one that would live on.
 *
 * @param options.limit ids at a time
 */
export function memoryRevokedSessions(
  options: { readonly limit?: number | undefined; readonly now?: (() => number) | undefined } = {},
): RevokedSessions {
  const { limit = 250_000, now = Date.now } = options
  const ends = new Map<string, number>()
  let swept = now()

  /** All of them, since they end in no order; hence not each time. */
  function sweep(time: number): void {
    if (time < swept + oneMinute) return
    swept = time
    for (const [old, end] of ends) if (end <= time) ends.delete(old)
  }

  return {
    async add(id, expiresAt) {
      sweep(now())
      if (ends.size >= limit && !ends.has(id)) throw new Error('The list of sessions that ended is full')
      ends.set(id, expiresAt)
    },
    has: async (id) => ends.has(id),
  }
}
