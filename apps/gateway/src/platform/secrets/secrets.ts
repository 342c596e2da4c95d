/**
 * Keys of five purposes: `POSTERN_SECRETS` in production, `secrets-file.ts` in development. docs/operate/settings.md
 * explains how to make and rotate them.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import * as z from 'zod/mini'
import { createKeyedHash, createSealer, type KeyedHash, type KeyRing, type Sealer } from './sealer'

export const purposes = ['email', 'code', 'authShare', 'recoveryShare', 'identity'] as const
export type Purpose = (typeof purposes)[number]

const KeyEntry = z.strictObject({
  /** Stored with everything that the key sealed; never reuse it. */
  id: z.string().check(z.regex(/^[a-z0-9]{1,16}$/, 'must be 1 to 16 small letters or digits')),
  /** 32 random bytes in base64url. */
  key: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url')),
})
const Ring = z.array(KeyEntry).check(
  z.minLength(1, 'needs a key'),
  z.refine((ring) => new Set(ring.map(({ id }) => id)).size === ring.length, 'names a key twice'),
)

/** Keys by purpose, the current one first. */
export const SecretKeys = z
  .strictObject({ email: Ring, code: Ring, authShare: Ring, recoveryShare: Ring, identity: Ring })
  .check(
    z.refine((keys) => {
      const all = purposes.flatMap((purpose) => keys[purpose].map(({ key }) => key))
      return new Set(all).size === all.length
    }, 'one key serves two purposes: each needs its own'),
  )
export type SecretKeys = z.infer<typeof SecretKeys>

export type IdentityKey = { readonly id: string; readonly privateKey: KeyObject; readonly publicKey: KeyObject }

export type Secrets = {
  /** Hashed for lookup, sealed for display. */
  readonly identities: KeyedHash & Sealer
  /** Also for rate limit keys. Signs nonces of wallet sign-ins and proofs of possession. */
  hashCode(text: string): string
  /** Pending social and Farcaster sign-ins. */
  readonly flows: Sealer
  readonly authShares: Sealer
  readonly recoveryShares: Sealer
  /** Signing keys and messages of wallet sign-ins. */
  readonly signIns: Sealer
  /** Ed25519, for identity tokens. Later keys are only published. */
  readonly identityKeys: readonly [IdentityKey, ...IdentityKey[]]
}

export function createSecrets(keys: SecretKeys): Secrets {
  const emails = ringOf(keys, 'email')
  const codes = ringOf(keys, 'code')
  const identities = { ...createKeyedHash(emails), ...createSealer(emails) }
  const code = createKeyedHash(codes)
  // Its bytes are Ed25519 seeds and, for `signIns`, HKDF's input: SHA-512 and HMAC-SHA-256 tell nothing of each other.
  const [today, ...older] = ringOf(keys, 'identity').map(({ id, bytes }) => identityKey(id, bytes))
  if (today === undefined) throw new Error('A key ring has a key')
  return {
    identities,
    hashCode: (text) => code.hash(text),
    flows: createSealer(codes),
    authShares: createSealer(ringOf(keys, 'authShare')),
    recoveryShares: createSealer(ringOf(keys, 'recoveryShare')),
    signIns: createSealer(ringOf(keys, 'identity')),
    identityKeys: [today, ...older],
  }
}

export function newSecretKeys(random: (bytes: number) => Buffer = randomBytes): SecretKeys {
  const ring = () => [{ id: '1', key: random(32).toString('base64url') }]
  return { email: ring(), code: ring(), authShare: ring(), recoveryShare: ring(), identity: ring() }
}

/** 256 bits in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Without key or salt: a secret has enough entropy. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('base64url')
}

/** The time of the comparison tells nothing of the texts but whether their lengths are equal. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function ringOf(keys: SecretKeys, purpose: Purpose): KeyRing {
  const [today, ...older] = keys[purpose].map(({ id, key }) => ({ id, bytes: Buffer.from(key, 'base64url') }))
  if (today === undefined) throw new Error('A key ring has a key')
  return [today, ...older]
}

/** PKCS #8 prefix of an Ed25519 seed (RFC 8410 §7). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

function identityKey(id: string, seed: Uint8Array): IdentityKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([ed25519Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  return { id, privateKey, publicKey: createPublicKey(privateKey) }
}
