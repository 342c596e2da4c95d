import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { concatBytes, wipe } from '../../../keys/bytes'
import { deriveEd25519, type NamespaceKeys } from '../../../keys/hd'

/** SLIP-10 with SLIP-44's 501. */
const path = [44, 501, 0, 0]

export const solanaKeys: NamespaceKeys = {
  derive: (seed) => deriveEd25519(seed, path),
  addressOf: (key) => base58.encode(ed25519.getPublicKey(key)),
  exported(key) {
    const pair = concatBytes(key, ed25519.getPublicKey(key))
    try {
      return base58.encode(pair)
    } finally {
      wipe(pair)
    }
  },
}
