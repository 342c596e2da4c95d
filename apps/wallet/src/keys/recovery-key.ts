/**
 * The user's recovery key: a P-256 pair. The gateway stores the public and the wrapped private key. Only the user has
 * the wrapping secret: a passkey's PRF output, or a passphrase stretched with Argon2id.
 *
 * wrapped key: version (1 byte: 2) | IV (12) | AES-256-GCM of the PKCS #8
 *
 * 1. The wrapping key is HKDF-SHA-256 of the secret, separate per method. The public key is associated data, so it
 *    cannot be exchanged.
 * 2. So are the wallet's addresses: if the gateway seals a share of its own wallet to the public key, the user's secret
 *    opens nothing. Version 1 lacks this.
 */
import type { WalletAddresses } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { addressLines } from '../same-wallet'
import { concatBytes, fromBase64Url, type OwnBytes, randomBytes, toBase64Url, utf8, wipe } from './bytes'
import { keyFailure } from './failure'

export type OwnersMethod = 'passkey' | 'passphrase'
export type WrappedKey = { readonly publicKey: string; readonly wrappedKey: string }

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const version = 2
const ivSize = 12

/** `secret`: 32 bytes from PRF or Argon2id; the caller overwrites them. */
export async function createRecoveryKey(
  method: OwnersMethod,
  secret: OwnBytes,
  addresses: WalletAddresses,
): Promise<WrappedKey> {
  const pair = await crypto.subtle.generateKey(curve, true, ['deriveBits'])
  const publicKey = toBase64Url(new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey)))
  const privateKey = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey))
  try {
    const iv = randomBytes(ivSize)
    const parameters = { name: 'AES-GCM', iv, additionalData: association(publicKey, addresses) }
    const wrapped = await crypto.subtle.encrypt(parameters, await wrappingKey(method, secret), privateKey)
    return { publicKey, wrappedKey: toBase64Url(concatBytes(Uint8Array.of(version), iv, new Uint8Array(wrapped))) }
  } finally {
    wipe(privateKey)
  }
}

/**
 * Not extractable. Rejects with BAD_RECOVERY_KEY for a wrong secret, other addresses or tampered bytes.
 * @throws {Failure} WALLET_ADDRESSES_UNPROVEN for null addresses, except of version 1
 */
export async function openRecoveryKey(
  method: OwnersMethod,
  { publicKey, wrappedKey }: WrappedKey,
  secret: OwnBytes,
  addresses: WalletAddresses | null,
): Promise<CryptoKey> {
  try {
    const bytes = fromBase64Url(wrappedKey)
    const iv = bytes.slice(1, 1 + ivSize)
    const additionalData = associationOf(bytes[0], publicKey, addresses)
    const parameters = { name: 'AES-GCM', iv, additionalData }
    const wrapping = await wrappingKey(method, secret)
    const privateKey = new Uint8Array(await crypto.subtle.decrypt(parameters, wrapping, bytes.slice(1 + ivSize)))
    try {
      return await crypto.subtle.importKey('pkcs8', privateKey, curve, false, ['deriveBits'])
    } finally {
      wipe(privateKey)
    }
  } catch (thrown) {
    throw thrown instanceof Failure ? thrown : keyFailure('BAD_RECOVERY_KEY')
  }
}

async function wrappingKey(method: OwnersMethod, secret: OwnBytes): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const info = utf8(`postern/recovery-key/v1\n${method}`)
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info }
  return crypto.subtle.deriveKey(parameters, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

function associationOf(given: number | undefined, publicKey: string, addresses: WalletAddresses | null): OwnBytes {
  if (given === 1) return utf8(`postern/recovery-key/v1\n${publicKey}`)
  if (given !== version) throw keyFailure('BAD_RECOVERY_KEY')
  if (addresses === null) throw new Failure('WALLET_ADDRESSES_UNPROVEN')
  return association(publicKey, addresses)
}

function association(publicKey: string, addresses: WalletAddresses): OwnBytes {
  return utf8(['postern/recovery-key/v2', publicKey, ...addressLines(addresses)].join('\n'))
}
