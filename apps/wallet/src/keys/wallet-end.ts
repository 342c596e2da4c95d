/**
 * The wallet's key signs that its user deleted it, moved from it, or removes a device: other devices need not believe
 * the gateway, nor the gateway a session. The signature covers all addresses, the generation, the time and a hash of
 * the user's id: none can be changed or moved to another user.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import {
  deviceRemovalText,
  type WalletAddresses,
  type WalletEnd,
  type WalletEndClaim,
  walletEndText,
} from '@postern/protocol'
import { personalMessageSigner, signPersonalMessage } from '../chains/eip155/keys/sign'
import { hexOf, utf8 } from './bytes'
import { addressesOf, type WalletKeys } from './derive'

export function signEnd<C extends WalletEndClaim>(
  keys: WalletKeys,
  userId: string,
  end: C,
): C & Pick<WalletEnd, 'signature'> {
  const signature = signPersonalMessage(messageOf(userId, addressesOf(keys), end), keys.eip155)
  return { ...end, signature }
}

export function signRemoval(keys: WalletKeys, userId: string, deviceId: string): `0x${string}` {
  const text = deviceRemovalText({ userHash: userHashOf(userId), deviceId, addresses: addressesOf(keys) })
  return signPersonalMessage(`0x${hexOf(utf8(text))}`, keys.eip155)
}

export function isEndOf(addresses: WalletAddresses, userId: string, end: WalletEnd): boolean {
  const signer = personalMessageSigner(messageOf(userId, addresses, end), end.signature)
  return signer?.toLowerCase() === addresses.eip155.toLowerCase()
}

function messageOf(userId: string, addresses: WalletAddresses, end: WalletEndClaim): `0x${string}` {
  return `0x${hexOf(utf8(walletEndText({ userHash: userHashOf(userId), addresses, end })))}`
}

function userHashOf(userId: string): string {
  return hexOf(sha256(utf8(userId)))
}
