/** did:key JWT in the `auth` query parameter. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64urlnopad } from '@scure/base'
import * as z from 'zod/mini'

const maxLength = 2_048
const maxClockSkewSeconds = 60
/** Multicodec prefix. Source: https://w3c-ccg.github.io/did-key-spec */
const ed25519Prefix = [0xed, 0x01] as const

const Header = z.object({ alg: z.literal('EdDSA'), typ: z.literal('JWT') })
const Payload = z.object({
  iss: z.string().check(z.startsWith('did:key:z')),
  sub: z.string().check(z.minLength(1)),
  aud: z.url(),
  iat: z.int(),
  exp: z.int(),
})

const parse = (part: string): unknown => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes(part)))
const bytes = (part: string) => base64urlnopad.decode(part.replace(/=+$/, ''))

function publicKey(issuer: string): Uint8Array {
  const key = base58.decode(issuer.slice('did:key:z'.length))
  if (key.length !== 34 || key[0] !== ed25519Prefix[0] || key[1] !== ed25519Prefix[1]) throw new Error('not ed25519')
  return key.subarray(2)
}

/** Ignores path and query of `ws://HOST/`. */
const origin = (url: string) => `${new URL(url).protocol}//${new URL(url).host}`

/**
 * Returns the client's did:key, or null if the token is invalid.
 *
 * 1. The token has three base64url parts and a header of EdDSA and JWT. No other algorithm is accepted.
 * 2. It is signed by the key that its issuer names.
 * 3. It is issued for one of `audiences`, not for another relay.
 * 4. It is not expired and not issued in the future. `now` is in seconds.
 *
 * Source: https://specs.walletconnect.com/2.0/specs/servers/relay/relay-user-auth
 */
export function clientOf(token: string, audiences: readonly string[], now: number): string | null {
  try {
    if (token.length > maxLength) return null
    const [header = '', payload = '', signature = '', ...more] = token.split('.')
    if (more.length > 0) return null
    Header.parse(parse(header))
    const { iss, aud, iat, exp } = Payload.parse(parse(payload))
    const signed = new TextEncoder().encode(`${header}.${payload}`)
    if (!ed25519.verify(bytes(signature), signed, publicKey(iss))) return null
    if (!audiences.some((audience) => origin(audience) === origin(aud))) return null
    return exp > now - maxClockSkewSeconds && iat < now + maxClockSkewSeconds ? iss : null
  } catch {
    return null
  }
}
