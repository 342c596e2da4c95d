/** AES-256-GCM at rest, with a new non-extractable key and a fresh IV per share. */
import type { SealedShare } from '../contract'
import { type OwnBytes, randomBytes, utf8 } from './bytes'
import { keyFailure } from './failure'

const ivSize = 12

/** As associated data: a record moved to another wallet does not decrypt. */
function association(evmAddress: string): OwnBytes {
  return utf8(`postern/device-share/v1\n${evmAddress.toLowerCase()}`)
}

export async function sealDeviceShare(share: OwnBytes, evmAddress: string): Promise<SealedShare> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const iv = randomBytes(ivSize)
  const parameters = { name: 'AES-GCM', iv, additionalData: association(evmAddress) }
  return { key, iv, bytes: new Uint8Array(await crypto.subtle.encrypt(parameters, key, share)) }
}

/** Rejects with BAD_DEVICE_SHARE. The caller must overwrite the share. */
export async function openDeviceShare({ key, iv, bytes }: SealedShare, evmAddress: string): Promise<OwnBytes> {
  try {
    const parameters = { name: 'AES-GCM', iv, additionalData: association(evmAddress) }
    return new Uint8Array(await crypto.subtle.decrypt(parameters, key, bytes))
  } catch {
    throw keyFailure('BAD_DEVICE_SHARE')
  }
}
