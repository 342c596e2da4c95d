/** Whether whoever hands in shares, or chooses how they are recovered, holds the wallet's key: EIP-191 signatures over exactly that. */
import {
  type DeviceShares,
  type Recovery,
  type RecoveryProof,
  recoveryProofText,
  recoveryText,
  shareProofText,
} from '@postern/protocol'
import { isHex, recoverMessageAddress } from 'viem'

export type ShareProof = {
  readonly action: 'create' | 'device' | 'recovery'
  readonly userId: string
  readonly shares: DeviceShares
  /** The method that the recovery share is for. */
  readonly recovery: Recovery
}

/** @returns the text that was signed, or null where the signature is not of `address` over it. */
export async function checkProof(
  { action, userId, shares, recovery }: ShareProof,
  address: string,
): Promise<string | null> {
  const { authShare, recoveryShare, proof } = shares
  const text = shareProofText({ action, userId, authShare, recoveryShare, recovery: recoveryText(recovery) })
  return (await isSignedBy(address, text, proof)) ? text : null
}

/** Whether the owner of `address` chose this method for that user. */
export function isChosenBy(
  address: string,
  chosen: { readonly userId: string; readonly recovery: Recovery; readonly proof: RecoveryProof },
): Promise<boolean> {
  const { userId, recovery, proof } = chosen
  const { generation, signature } = proof
  return isSignedBy(address, recoveryProofText({ userId, generation, recovery: recoveryText(recovery) }), signature)
}

async function isSignedBy(address: string, text: string, signature: string): Promise<boolean> {
  if (!isHex(signature)) return false
  try {
    const signer = await recoverMessageAddress({ message: text, signature })
    return signer.toLowerCase() === address.toLowerCase()
  } catch {
    // No point of the curve belongs to it.
    return false
  }
}
