import { keccak256 } from 'ox/Hash'

/** Source: EIP-2718. */
export function transactionHash(signed: `0x${string}`): string {
  return keccak256(signed)
}
