import type { Clock } from '@postern/base/clock'
import { base64Url } from '../random'
import type { SessionKey } from '../window-messages'

export type Prover = { readonly key: SessionKey; readonly token?: string }

export type Dpop = {
  newKey(): Promise<SessionKey>
  /** `init.body` is text. */
  fetch(url: string, init: RequestInit, prover: Prover | null): Promise<Response>
}

export type DpopOptions = {
  readonly fetch: typeof fetch
  readonly ownOrigin: string
  readonly clock: Pick<Clock, 'now'>
  readonly randomSecret: () => string
}

/**
 * Proofs of possession of a session's key: DPoP (RFC 9449).
 *
 * 1. No script can read the private half of the P-256 key.
 * 2. A proof is for one method, one URL without query, and one token.
 * 3. A refused proof had no effect. The call is repeated once with the refusal's nonce, so a stale nonce, a wrong clock
 *    or a browser's repeated request is no error.
 * 4. The gateway's nonce tells the time. The gateway ignores `iat` (required by the RFC), this device's clock.
 */
export function createDpop({ fetch, ownOrigin, clock, randomSecret }: DpopOptions): Dpop {
  let nonce: string | null = null

  async function proofOf(url: URL, method: string, { key, token }: Prover): Promise<string> {
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', key.publicKey)
    const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }
    const payload = {
      jti: randomSecret(),
      htm: method,
      htu: `${url.origin}${url.pathname}`,
      iat: Math.floor(clock.now() / 1000),
      ...(nonce !== null && { nonce }),
      ...(token !== undefined && { ath: await hashOf(token) }),
    }
    const signed = `${encode(JSON.stringify(header))}.${encode(JSON.stringify(payload))}`
    const bytes = new TextEncoder().encode(signed)
    const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key.privateKey, bytes)
    return `${signed}.${base64Url(new Uint8Array(signature))}`
  }

  async function send(url: string, init: RequestInit, prover: Prover | null): Promise<Response> {
    const headers = new Headers(init.headers)
    if (prover !== null) headers.set('dpop', await proofOf(new URL(url, ownOrigin), init.method ?? 'GET', prover))
    if (prover?.token !== undefined) headers.set('authorization', `DPoP ${prover.token}`)
    const response = await fetch(url, { ...init, headers })
    nonce = response.headers.get('dpop-nonce') ?? nonce
    return response
  }

  return {
    newKey: () => crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']),
    async fetch(url, init, prover) {
      const response = await send(url, init, prover)
      return prover !== null && isProofRefused(response) ? send(url, init, prover) : response
    },
  }
}

function isProofRefused({ status, headers }: Response): boolean {
  return status === 401 && headers.get('www-authenticate')?.includes('use_dpop_nonce') === true
}

async function hashOf(text: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

function encode(text: string): string {
  return base64Url(new TextEncoder().encode(text))
}
