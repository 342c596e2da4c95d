/**
 * Encryption at rest, and keyed hashes to look up encrypted values.
 *
 * 1. A sealed value names its key. The first key of a ring seals, every key opens, so keys can rotate.
 * 2. AES-256-GCM with a random IV. The authenticated context (owner and purpose) stops a value from opening in another
 *    row.
 * 3. Sealing and hashing keys are derived from the ring's secret by HKDF (RFC 5869).
 * 4. A value that does not open throws an error with neither bytes nor key.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** 32 bytes. */
export type Key = { readonly id: string; readonly bytes: Uint8Array }
/** The first seals; the others only open older values. */
export type KeyRing = readonly [Key, ...Key[]]

export type Sealer = {
  /** Of the key that seals. */
  readonly keyId: string
  /** @param context owner and purpose, such as `share|device|auth`. */
  seal(text: string, context: string): string
  /** @throws {SealError} */
  open(sealed: string, context: string): string
}

export type KeyedHash = {
  /** The key's id, then 256 bits in base64url. */
  hash(text: string): string
  /** By each key, the current one first: a rotation loses no row. */
  hashes(text: string): readonly [string, ...string[]]
}

export class SealError extends Error {
  override readonly name = 'SealError'
  constructor() {
    super('A sealed value does not open')
  }
}

const ivLength = 12
const tagLength = 16

export function createSealer(ring: KeyRing): Sealer {
  const keys = new Map(ring.map((key) => [key.id, derive(key, 'seal')]))
  const [today] = ring
  return {
    keyId: today.id,
    seal(text, context) {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv('aes-256-gcm', keyOf(today.id), iv, { authTagLength: tagLength })
      cipher.setAAD(Buffer.from(context))
      const bytes = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${today.id}.${bytes.toString('base64url')}`
    },
    open(sealed, context) {
      const [id = '', encoded = '', ...rest] = sealed.split('.')
      const bytes = Buffer.from(encoded, 'base64url')
      if (rest.length > 0 || bytes.length < ivLength + tagLength) throw new SealError()
      const decipher = createDecipheriv('aes-256-gcm', keyOf(id), bytes.subarray(0, ivLength), {
        authTagLength: tagLength,
      })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(-tagLength))
      try {
        const text = decipher.update(bytes.subarray(ivLength, -tagLength))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        throw new SealError()
      }
    },
  }

  function keyOf(id: string): Buffer {
    const key = keys.get(id)
    if (key === undefined) throw new SealError()
    return key
  }
}

export function createKeyedHash(ring: KeyRing): KeyedHash {
  const [today, ...older] = ring.map((key) => ({ id: key.id, bytes: derive(key, 'hash') }))
  if (today === undefined) throw new Error('A key ring has a key')
  const by = (key: { id: string; bytes: Buffer }, text: string) =>
    `${key.id}.${createHmac('sha256', key.bytes).update(text, 'utf8').digest('base64url')}`
  return {
    hash: (text) => by(today, text),
    hashes: (text) => [by(today, text), ...older.map((key) => by(key, text))],
  }
}

function derive(key: Key, purpose: 'seal' | 'hash'): Buffer {
  return Buffer.from(hkdfSync('sha256', key.bytes, '', `postern ${purpose}`, 32))
}
