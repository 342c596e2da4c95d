import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check, hex } from '@scure/base'
import { concatBytes, wipe } from '../../../keys/bytes'
import { deriveSecp256k1, hardened, type NamespaceKeys } from '../../../keys/hd'

/** BIP-84. */
const path = [hardened(84), hardened(0), hardened(0), 0, 0]

/** Mainnet's version byte, and the compressed-key flag. Source: https://en.bitcoin.it/wiki/Wallet_import_format */
const [wifVersion, wifCompressed] = [0x80, 0x01]
const base58check = createBase58check((bytes: Uint8Array) => Uint8Array.from(sha256(bytes)))

export const bip122Keys: NamespaceKeys = {
  derive: (seed) => deriveSecp256k1(seed, path),
  addressOf: (key) => hex.encode(secp256k1.getPublicKey(key, true)),
  exported(key) {
    const wif = concatBytes(Uint8Array.of(wifVersion), key, Uint8Array.of(wifCompressed))
    try {
      return base58check.encode(wif)
    } finally {
      wipe(wif)
    }
  },
}
