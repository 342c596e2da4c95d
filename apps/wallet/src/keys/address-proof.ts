/**
 * The wallet's key signs its addresses, so that a new device can check them before the seed is rebuilt.
 *
 * 1. The EVM key signs all three addresses, the generation and a hash of the user's id: none can be changed or moved to
 *    another user.
 * 2. Only the rebuilt seed proves that the addresses are the user's.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { type AddressProof, addressProofText, type WalletAddresses } from '@postern/protocol'
import { personalMessageSigner, signPersonalMessage } from '../chains/eip155/keys/sign'
import { hexOf, utf8 } from './bytes'
import { addressesOf, type WalletKeys } from './derive'

type Claim = { readonly userId: string; readonly generation: number }

export function proveAddresses(keys: WalletKeys, claim: Claim): AddressProof {
  const signature = signPersonalMessage(messageOf(addressesOf(keys), claim), keys.eip155)
  return { generation: claim.generation, signature }
}

export function isProvenBy(proof: AddressProof, addresses: WalletAddresses, claim: Claim): boolean {
  if (proof.generation !== claim.generation) return false
  const signer = personalMessageSigner(messageOf(addresses, claim), proof.signature)
  return signer?.toLowerCase() === addresses.eip155.toLowerCase()
}

function messageOf(addresses: WalletAddresses, { userId, generation }: Claim): `0x${string}` {
  const text = addressProofText({ userHash: hexOf(sha256(utf8(userId))), generation, addresses })
  return `0x${hexOf(utf8(text))}`
}
