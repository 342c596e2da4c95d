import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hex } from '@scure/base'
import * as Address from 'ox/Address'
import { deriveSecp256k1, hardened, type NamespaceKeys } from '../../../keys/hd'

/** BIP-44. */
const path = [hardened(44), hardened(60), hardened(0), 0, 0]

export const eip155Keys: NamespaceKeys = {
  derive: (seed) => deriveSecp256k1(seed, path),
  addressOf: (key) => evmAddressOf(secp256k1.getPublicKey(key, false)),
  exported: (key) => `0x${hex.encode(key)}`,
}

/** EIP-55, of an uncompressed public key. */
export function evmAddressOf(publicKey: Uint8Array): string {
  return Address.checksum(`0x${hex.encode(keccak_256(publicKey.subarray(1)).subarray(12))}`)
}
