/** The device share at rest: AES-256-GCM under a key that no script can read, made anew for each share, with a fresh IV. */
import type { SealedShare } from '../contract'
import { type OwnBytes, randomBytes, utf8 } from './bytes'
import { keyFailure } from './failure'

const ivSize = 12

/** The wallet that a share is of goes in as associated data: a record put under another wallet's name does not open. */
function association(evmAddress: string): OwnBytes {
  return utf8(`postern/device-share/v1\n${evmAddress.toLowerCase()}`)
}

export async function sealDeviceShare(share: OwnBytes, evmAddress: string): Promise<SealedShare> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const iv = randomBytes(ivSize)
  const parameters = { name: 'AES-GCM', iv, additionalData: association(evmAddress) }
  return { key, iv, bytes: new Uint8Array(await crypto.subtle.encrypt(parameters, key, share)) }
}

/** Rejects with BAD_DEVICE_SHARE. The caller overwrites the share. */
export async function openDeviceShare({ key, iv, bytes }: SealedShare, evmAddress: string): Promise<OwnBytes> {
  try {
    const parameters = { name: 'AES-GCM', iv, additionalData: association(evmAddress) }
    return new Uint8Array(await crypto.subtle.decrypt(parameters, key, bytes))
  } catch {
    throw keyFailure('BAD_DEVICE_SHARE')
  }
}
