/** Whether whoever hands in shares holds the wallet's key: an EIP-191 signature over what is handed in. */
import { type DeviceShares, type Recovery, recoveryText, shareProofText } from '@postern/protocol'
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
  if (!isHex(proof)) return null
  const text = shareProofText({ action, userId, authShare, recoveryShare, recovery: recoveryText(recovery) })
  try {
    const signer = await recoverMessageAddress({ message: text, signature: proof })
    return signer.toLowerCase() === address.toLowerCase() ? text : null
  } catch {
    // No point of the curve belongs to it.
    return null
  }
}
