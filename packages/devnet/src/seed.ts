import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { devnetMnemonic } from './mnemonic'

let seed: Uint8Array | undefined

/** 64-byte BIP-39 seed without passphrase, derived on first use (30 ms). Works in a page too. */
export function devnetSeed(): Uint8Array {
  seed ??= pbkdf2(sha512, utf8ToBytes(devnetMnemonic), utf8ToBytes('mnemonic'), { c: 2048, dkLen: 64 })
  return seed
}
