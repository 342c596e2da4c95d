/** Proofs by a wallet's key (EIP-191). */
import { createHash } from 'node:crypto'
import {
  type AddressProof,
  addressProofText,
  type DeviceShares,
  deviceRemovalText,
  type Recovery,
  type RecoveryProof,
  recoveryProofText,
  recoveryText,
  replacementText,
  shareProofText,
  type WalletAddresses,
  type WalletEnd,
  type WalletReplacement,
  walletEndText,
} from '@postern/protocol'
import { isHex, recoverMessageAddress } from 'viem'

export type ShareProof = {
  readonly action: 'create' | 'device' | 'recovery' | 'replace'
  readonly userId: string
  readonly shares: DeviceShares
  readonly recovery: Recovery
}

/** The signed text, or null if another key signed. */
export async function checkProof(
  { action, userId, shares, recovery }: ShareProof,
  address: string,
): Promise<string | null> {
  const { authShare, recoveryShare, proof } = shares
  const text = shareProofText({ action, userId, authShare, recoveryShare, recovery: recoveryText(recovery) })
  return (await isSignedBy(address, text, proof)) ? text : null
}

export function isChosenBy(
  address: string,
  chosen: { readonly userId: string; readonly recovery: Recovery; readonly proof: RecoveryProof },
): Promise<boolean> {
  const { userId, recovery, proof } = chosen
  const { generation, signature } = proof
  return isSignedBy(address, recoveryProofText({ userId, generation, recovery: recoveryText(recovery) }), signature)
}

/** Whether the key of the EVM address signed all three. */
export async function areProven(
  addresses: WalletAddresses,
  claim: { readonly userId: string; readonly generation: number; readonly proof: AddressProof },
): Promise<boolean> {
  const { userId, generation, proof } = claim
  if (proof.generation !== generation) return false
  const text = addressProofText({ userHash: userHash(userId), generation, addresses })
  return isSignedBy(addresses.eip155, text, proof.signature)
}

export function isReplacedBy(
  { from, signature }: WalletReplacement,
  to: WalletAddresses,
  userId: string,
): Promise<boolean> {
  return isSignedBy(from.eip155, replacementText({ userHash: userHash(userId), from, to }), signature)
}

export function isEndedBy(addresses: WalletAddresses, end: WalletEnd, userId: string): Promise<boolean> {
  return isSignedBy(addresses.eip155, walletEndText({ userHash: userHash(userId), addresses, end }), end.signature)
}

export function isRemovedBy(
  addresses: WalletAddresses,
  removal: { readonly userId: string; readonly deviceId: string; readonly signature: string },
): Promise<boolean> {
  const { userId, deviceId, signature } = removal
  return isSignedBy(addresses.eip155, deviceRemovalText({ userHash: userHash(userId), deviceId, addresses }), signature)
}

/** In the wallet's signed texts, instead of the id. */
export function userHash(userId: string): string {
  return createHash('sha256').update(userId).digest('hex')
}

async function isSignedBy(address: string, text: string, signature: string): Promise<boolean> {
  if (!isHex(signature)) return false
  try {
    const signer = await recoverMessageAddress({ message: text, signature })
    return signer.toLowerCase() === address.toLowerCase()
  } catch {
    // Not a curve point.
    return false
  }
}
