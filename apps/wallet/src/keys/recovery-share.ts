/**
 * Seals the recovery share to the user's recovery key: ECIES over P-256 with HKDF-SHA-256 and AES-256-GCM (WebCrypto).
 *
 * version (1 byte: 1) | ephemeral public key (65, uncompressed) | ciphertext and tag
 *
 * 1. Each sealing has a new ephemeral key, so the AES key is used once and its IV may be all zeros.
 * 2. Both public keys are in HKDF's info: a share sealed to one key cannot pass as sealed to another.
 * 3. The user id is associated data: a share moved to another account does not open.
 */
import type { Recovery } from '@postern/protocol'
import { concatBytes, fromBase64Url, type OwnBytes, toBase64Url, utf8 } from './bytes'
import { keyFailure } from './failure'

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const version = 1
const pointSize = 65
const iv = new Uint8Array(12)

export type SealedRecovery = Exclude<Recovery, { method: 'gateway' }>

/** base64url; plain for `gateway`, which encrypts it itself. */
export async function writeRecoveryShare(share: OwnBytes, recovery: Recovery, userId: string): Promise<string> {
  return toBase64Url(recovery.method === 'gateway' ? share : await seal(share, recovery, userId))
}

async function seal(share: OwnBytes, { publicKey }: SealedRecovery, userId: string): Promise<OwnBytes> {
  const recipient = await readPublicKey(publicKey)
  const ephemeral = await crypto.subtle.generateKey(curve, false, ['deriveBits'])
  const ephemeralPoint = await pointOf(ephemeral.publicKey)
  const key = await sharedKey(ephemeral.privateKey, recipient, ephemeralPoint, await pointOf(recipient))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: association(userId) }, key, share)
  return concatBytes(Uint8Array.of(version), ephemeralPoint, new Uint8Array(sealed))
}

/** Rejects with BAD_RECOVERY_KEY. The caller overwrites the share. */
export async function readRecoveryShare(
  text: string,
  recovery: Recovery,
  userId: string,
  recoveryKey: CryptoKey | undefined,
): Promise<OwnBytes> {
  if (recovery.method === 'gateway') return plain(text)
  if (recoveryKey === undefined) throw keyFailure('BAD_RECOVERY_KEY')
  try {
    return await open(fromBase64Url(text), recovery, userId, recoveryKey)
  } catch {
    throw keyFailure('BAD_RECOVERY_KEY')
  }
}

function plain(text: string): OwnBytes {
  try {
    return fromBase64Url(text)
  } catch {
    throw keyFailure('BAD_SHARES')
  }
}

async function open(
  sealed: OwnBytes,
  { publicKey }: SealedRecovery,
  userId: string,
  key: CryptoKey,
): Promise<OwnBytes> {
  if (sealed[0] !== version || sealed.length <= 1 + pointSize) throw keyFailure('BAD_RECOVERY_KEY')
  const ephemeralPoint = sealed.slice(1, 1 + pointSize)
  const ephemeral = await crypto.subtle.importKey('raw', ephemeralPoint, curve, true, [])
  const recipientPoint = await pointOf(await readPublicKey(publicKey))
  const opener = await sharedKey(key, ephemeral, ephemeralPoint, recipientPoint)
  const parameters = { name: 'AES-GCM', iv, additionalData: association(userId) }
  return new Uint8Array(await crypto.subtle.decrypt(parameters, opener, sealed.slice(1 + pointSize)))
}

async function sharedKey(
  own: CryptoKey,
  other: CryptoKey,
  ephemeralPoint: OwnBytes,
  recipientPoint: OwnBytes,
): Promise<CryptoKey> {
  const secret = await crypto.subtle.deriveBits({ name: 'ECDH', public: other }, own, 256)
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  new Uint8Array(secret).fill(0)
  const info = concatBytes(utf8('postern/recovery-share/v1'), ephemeralPoint, recipientPoint)
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info }
  const target = { name: 'AES-GCM', length: 256 }
  return crypto.subtle.deriveKey(parameters, material, target, false, ['encrypt', 'decrypt'])
}

function readPublicKey(publicKey: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('spki', fromBase64Url(publicKey), curve, true, [])
}

async function pointOf(key: CryptoKey): Promise<OwnBytes> {
  return new Uint8Array(await crypto.subtle.exportKey('raw', key))
}

function association(userId: string): OwnBytes {
  return utf8(`postern/recovery-share/v1\n${userId}`)
}
