import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { WalletAddresses } from '@postern/protocol'
import { base58, hex } from '@scure/base'
import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import * as Address from 'ox/Address'
import { concatBytes, type OwnBytes, utf8, wipe } from './bytes'
import { seedOf } from './mnemonic'

export type WalletKeys = { readonly eip155: OwnBytes; readonly solana: OwnBytes; readonly bip122: OwnBytes }

const hardened = (index: number) => index + HARDENED_OFFSET

/** BIP-44, SLIP-10 with SLIP-44's 501, and BIP-84. */
const derivationPaths = {
  eip155: [hardened(44), hardened(60), hardened(0), 0, 0],
  solana: [44, 501, 0, 0],
  bip122: [hardened(84), hardened(0), hardened(0), 0, 0],
} as const

/** The caller must overwrite them: {@link wipeKeys}. */
export async function keysOf(entropy: Uint8Array): Promise<WalletKeys> {
  const seed = await seedOf(entropy)
  try {
    return {
      eip155: deriveSecp256k1(seed, derivationPaths.eip155),
      solana: deriveEd25519(seed, derivationPaths.solana),
      bip122: deriveSecp256k1(seed, derivationPaths.bip122),
    }
  } finally {
    wipe(seed)
  }
}

export function wipeKeys(keys: WalletKeys): void {
  wipe(keys.eip155, keys.solana, keys.bip122)
}

/** Step by step (BIP-32), so that each parent is overwritten after use. */
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
 * SLIP-10 for ed25519: every step is hardened, so indices omit the flag. Source:
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

export function addressesOf(keys: WalletKeys): WalletAddresses {
  return {
    eip155: evmAddress(keys.eip155),
    solana: base58.encode(ed25519.getPublicKey(keys.solana)),
    bip122: hex.encode(secp256k1.getPublicKey(keys.bip122, true)),
  }
}

function evmAddress(key: Uint8Array): string {
  return evmAddressOf(secp256k1.getPublicKey(key, false))
}

/** EIP-55, of an uncompressed public key. */
export function evmAddressOf(publicKey: Uint8Array): string {
  return Address.checksum(`0x${hex.encode(keccak_256(publicKey.subarray(1)).subarray(12))}`)
}
