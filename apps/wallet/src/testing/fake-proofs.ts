/** The fake gateway's check of DPoP proofs, and a session's key for tests. */
import * as z from 'zod/mini'
import { base64Url } from '../random'
import type { SessionKey } from '../window-messages'
import { Refused } from './fake-sign-in'

export const newKey = (): Promise<SessionKey> =>
  crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])

const Header = z.object({
  typ: z.literal('dpop+jwt'),
  alg: z.literal('ES256'),
  jwk: z.strictObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() }),
})
const Payload = z.object({
  jti: z.string(),
  htm: z.literal('POST'),
  htu: z.string(),
  iat: z.number(),
  nonce: z.optional(z.string()),
  ath: z.optional(z.string()),
})
type Payload = z.infer<typeof Payload>

/** Its only nonce; `renew` makes the proofs with the one before stale. */
export function fakeProofs(origin: string) {
  let count = 1
  const used = new Set<string>()

  async function check(proof: string, path: string, token: string | null): Promise<string> {
    const { header, payload, isSigned } = await readProof(proof)
    const isRight =
      isSigned &&
      payload.htu === `${origin}${path}` &&
      payload.nonce === `nonce-${count}` &&
      payload.ath === (token === null ? undefined : await digestOf(token)) &&
      !used.has(payload.jti)
    if (!isRight) throw new Refused('DPOP_REFUSED')
    used.add(payload.jti)
    return `${header.jwk.x}.${header.jwk.y}`
  }

  return {
    nonce: () => `nonce-${count}`,
    renew() {
      count += 1
    },
    /** Resolves with the key's id. */
    check,
  }
}

export async function readProof(proof: string) {
  const [head = '', body = '', signature = ''] = proof.split('.')
  const header = Header.parse(JSON.parse(atobUrl(head)))
  const payload: Payload = Payload.parse(JSON.parse(atobUrl(body)))
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('jwk', header.jwk, algorithm, false, ['verify'])
  const bytes = Uint8Array.from(atobUrl(signature), (character) => character.charCodeAt(0))
  const signed = new TextEncoder().encode(`${head}.${body}`)
  return { header, payload, isSigned: await crypto.subtle.verify(algorithm, key, bytes, signed) }
}

export async function digestOf(token: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))))
}

function atobUrl(text: string): string {
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
}
