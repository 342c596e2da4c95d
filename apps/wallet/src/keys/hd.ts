import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import { concatBytes, type OwnBytes, utf8, wipe } from './bytes'

export type NamespaceKeys = {
  /** The caller must overwrite it. */
  derive(seed: Uint8Array): OwnBytes
  addressOf(key: Uint8Array): string
  exported(key: Uint8Array): string
}

export const hardened = (index: number) => index + HARDENED_OFFSET

/** Step by step (BIP-32), so that each parent is overwritten. */
export function deriveSecp256k1(seed: Uint8Array, path: readonly number[]): OwnBytes {
  let node = HDKey.fromMasterSeed(seed)
  for (const index of path) {
    const child = node.deriveChild(index)
    node.wipePrivateData()
    node = child
  }
  const key = new Uint8Array(node.privateKey ?? [])
  node.wipePrivateData()
  if (key.length !== 32) throw new Error('The path has no key')
  return key
}

/**
 * SLIP-10 for ed25519: every step is hardened, so indices omit the flag.
 * https://github.com/satoshilabs/slips/blob/master/slip-0010.md
 */
export function deriveEd25519(seed: Uint8Array, path: readonly number[]): OwnBytes {
  let node = hmac(sha512, utf8('ed25519 seed'), seed)
  for (const index of path) {
    const position = new Uint8Array(4)
    new DataView(position.buffer).setUint32(0, hardened(index))
    const data = concatBytes(Uint8Array.of(0), node.subarray(0, 32), position)
    const child = hmac(sha512, node.subarray(32), data)
    wipe(node, data)
    node = child
  }
  const key = new Uint8Array(node.subarray(0, 32))
  wipe(node)
  return key
}
