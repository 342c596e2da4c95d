/**
 * The device share at rest: AES-256-GCM, with a new non-extractable key and IV per share.
 *
 * 1. Version 2 has the user, all addresses and the generation as associated data: changed in storage, it does not open.
 * 2. Version 1 is bound to the EVM address alone, and is sealed again as version 2 (`bind`).
 */
import type { WalletAddresses } from '@postern/protocol'
import type { SealedShare, ShareBinding } from '../contract'
import { addressLines, isSameWallet } from '../same-wallet'
import { type OwnBytes, randomBytes, utf8 } from './bytes'
import { keyFailure } from './failure'

const ivSize = 12

function association({ version, userId, generation, addresses }: ShareBinding): OwnBytes {
  const lines = [`postern/device-share/v${version}`, userId, String(generation), ...addressLines(addresses)]
  return utf8(lines.join('\n'))
}

function associationOfVersion1({ eip155 }: WalletAddresses): OwnBytes {
  return utf8(`postern/device-share/v1\n${eip155.toLowerCase()}`)
}

export async function sealDeviceShare(share: OwnBytes, binding: ShareBinding): Promise<SealedShare> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const iv = randomBytes(ivSize)
  const parameters = { name: 'AES-GCM', iv, additionalData: association(binding) }
  return { key, iv, bytes: new Uint8Array(await crypto.subtle.encrypt(parameters, key, share)), binding }
}

/** Rejects with BAD_DEVICE_SHARE, also for other addresses. The caller overwrites the share. */
export async function openDeviceShare(
  { key, iv, bytes, binding }: SealedShare,
  addresses: WalletAddresses,
): Promise<OwnBytes> {
  if (binding !== undefined && !isSameWallet(binding.addresses, addresses)) throw keyFailure('BAD_DEVICE_SHARE')
  try {
    const additionalData = binding === undefined ? associationOfVersion1(addresses) : association(binding)
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, bytes))
  } catch {
    throw keyFailure('BAD_DEVICE_SHARE')
  }
}
