/**
 * Encryption at rest, and the keyed hashes by which encrypted things are found.
 *
 * 1. What is sealed says which key sealed it, so that keys can rotate: the first key of a ring seals, every key of it opens.
 * 2. AES-256-GCM with a fresh random IV each time; the context (whose, what for) is authenticated, so that a row's bytes open in no other row.
 * 3. One secret serves one purpose: the ring's keys are derived from it by HKDF (RFC 5869), one for sealing and one for hashing.
 * 4. What does not open throws, and the error says neither bytes nor key.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** 32 bytes with the name under which what they sealed remembers them. */
export type Key = { readonly id: string; readonly bytes: Uint8Array }
/** The first is today's; the others still open what they sealed. */
export type KeyRing = readonly [Key, ...Key[]]

export type Sealer = {
  /** @param context what the text belongs to, such as `share|device|auth`; the same is needed to open it. */
  seal(text: string, context: string): string
  /** @throws {SealError} */
  open(sealed: string, context: string): string
}

export type KeyedHash = {
  /** 256 bits in base64url, after the id of the key. */
  hash(text: string): string
  /** By each key of the ring, today's first: an older row is still found after a rotation. */
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
