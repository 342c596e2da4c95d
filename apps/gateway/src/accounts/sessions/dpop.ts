/**
 * Proofs of possession of a session's key: DPoP (RFC 9449) with server nonces.
 *
 * 1. A proof is an ES256 JWT by the key in its header.
 * 2. It is valid for one method, one URL on the wallet's origin (`htm`, `htu`) and one session token (`ath`).
 * 3. Its nonce is at most five minutes old: the visitor's clock does not matter, and no proof can be made for later.
 * 4. With a session, a proof works once among all replicas (`jti`).
 * 5. A refusal brings a nonce for the next try.
 */
import { createHash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import { problem } from '../../platform/http/problem'
import type { PostgresLimiter } from '../../platform/limits/postgres'
import { isSameSecret } from '../../platform/secrets/secrets'

const nonceLifetimeMs = 5 * 60_000
/** Between the clocks of two replicas. */
const maxClockDifferenceMs = 60_000
const maxProofLength = 2_048

/** Blocks a `jti` until its nonce has expired on every replica. */
const jtiRate = { name: 'dpop jti', burst: 1, every: nonceLifetimeMs + 2 * maxClockDifferenceMs } as const

const Claims = z.object({
  jti: z.string().check(z.minLength(16), z.maxLength(128)),
  htm: z.string(),
  htu: z.string(),
  nonce: z.string(),
  ath: z.optional(z.string()),
})

/** `thumbprint`: the key's, RFC 7638. */
export type Proof = { readonly thumbprint: string; readonly jti: string }

export type ProvenCall = { readonly method: string; readonly path: string; readonly token?: string }

export type Proofs = {
  nonce(): string
  /** @throws {Problem} DPOP_REFUSED */
  verify(proof: string | undefined, call: ProvenCall): Promise<Proof>
  /** @throws {Problem} DPOP_REFUSED if used before. */
  use(proof: Proof): Promise<void>
}

export function createProofs(options: {
  readonly limits: Pick<PostgresLimiter, 'take'>
  readonly hash: (text: string) => string
  readonly walletOrigin: string
  /** Epoch milliseconds. */
  readonly now: () => number
}): Proofs {
  const { limits, hash, walletOrigin, now } = options

  function nonceOf(time: string): string {
    return `${time}.${hash(`dpop nonce ${time}`)}`
  }

  function isFresh(nonce: string): boolean {
    const [time = ''] = nonce.split('.')
    const age = now() - Number.parseInt(time, 36) * 1000
    return age <= nonceLifetimeMs && age >= -maxClockDifferenceMs && isSameSecret(nonce, nonceOf(time))
  }

  return {
    nonce: () => nonceOf(Math.floor(now() / 1000).toString(36)),

    async verify(proof, { method, path, token }) {
      if (proof === undefined || proof.length > maxProofLength) throw refused()
      const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
        typ: 'dpop+jwt',
        algorithms: ['ES256'],
        currentDate: new Date(now()),
      }).catch(() => {
        throw refused()
      })
      const claims = Claims.safeParse(payload)
      const { jwk } = protectedHeader
      if (!claims.success || jwk === undefined) throw refused()
      const { jti, htm, htu, nonce, ath } = claims.data
      const isForCall = htm === method && htu === `${walletOrigin}${path}` && ath === athOf(token)
      if (!isForCall || !isFresh(nonce)) throw refused()
      return { thumbprint: await calculateJwkThumbprint(jwk), jti }
    },

    async use({ thumbprint, jti }) {
      const { ok } = await limits.take([{ rate: jtiRate, who: `${thumbprint} ${jti}` }])
      if (!ok) throw refused()
    },
  }
}

/** Sends the next nonce with every answer, so that few calls lack one. */
export function offerNonce(proofs: Pick<Proofs, 'nonce'>): MiddlewareHandler {
  return async (context, next) => {
    context.header('DPoP-Nonce', proofs.nonce())
    return next()
  }
}

function refused() {
  return problem(401, 'DPOP_REFUSED', 'The DPoP header is missing, or is no new proof for this call and nonce', {
    'WWW-Authenticate': 'DPoP algs="ES256", error="use_dpop_nonce"',
  })
}

/** The token's hash, RFC 9449 §4.2. */
function athOf(token: string | undefined): string | undefined {
  return token === undefined ? undefined : createHash('sha256').update(token).digest('base64url')
}
