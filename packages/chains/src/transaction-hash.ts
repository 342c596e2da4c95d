import { keccak256 } from 'ox/Hash'

/** The hash of a signed transaction: of its bytes as they were sent. Source: EIP-2718. */
export function transactionHash(signed: `0x${string}`): string {
  return keccak256(signed)
}
