/** Proofs by the wallet's key: EIP-191 signatures over the shares, or over the chosen recovery method. */
import { createHash } from 'node:crypto'
import {
  type AddressProof,
  addressProofText,
  type DeviceShares,
  type Recovery,
  type RecoveryProof,
  recoveryProofText,
  recoveryText,
  shareProofText,
  type WalletAddresses,
} from '@postern/protocol'
import { isHex, recoverMessageAddress } from 'viem'

export type ShareProof = {
  readonly action: 'create' | 'device' | 'recovery'
  readonly userId: string
  readonly shares: DeviceShares
  /** The method that the share is for. */
  readonly recovery: Recovery
}

/** @returns the signed text, or null if `address` did not sign it. */
export async function checkProof(
  { action, userId, shares, recovery }: ShareProof,
  address: string,
): Promise<string | null> {
  const { authShare, recoveryShare, proof } = shares
  const text = shareProofText({ action, userId, authShare, recoveryShare, recovery: recoveryText(recovery) })
  return (await isSignedBy(address, text, proof)) ? text : null
}

/** Whether `address` signed this method for that user. */
export function isChosenBy(
  address: string,
  chosen: { readonly userId: string; readonly recovery: Recovery; readonly proof: RecoveryProof },
): Promise<boolean> {
  const { userId, recovery, proof } = chosen
  const { generation, signature } = proof
  return isSignedBy(address, recoveryProofText({ userId, generation, recovery: recoveryText(recovery) }), signature)
}

/** Whether the key of the EVM address vouches for all three, for this user and generation. */
export async function areProven(
  addresses: WalletAddresses,
  claim: { readonly userId: string; readonly generation: number; readonly proof: AddressProof },
): Promise<boolean> {
  const { userId, generation, proof } = claim
  if (proof.generation !== generation) return false
  const userHash = createHash('sha256').update(userId).digest('hex')
  return isSignedBy(addresses.eip155, addressProofText({ userHash, generation, addresses }), proof.signature)
}

async function isSignedBy(address: string, text: string, signature: string): Promise<boolean> {
  if (!isHex(signature)) return false
  try {
    const signer = await recoverMessageAddress({ message: text, signature })
    return signer.toLowerCase() === address.toLowerCase()
  } catch {
    // Not a valid curve point.
    return false
  }
}
