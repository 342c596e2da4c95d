/** BIP-39 in bytes: a string cannot be overwritten. */
import { sha256 } from '@noble/hashes/sha2.js'
import { wordlist } from '@scure/bip39/wordlists/english'
import { concatBytes, type OwnBytes, utf8, wipe } from './bytes'

export const entropySize = 16
const bitsPerWord = 11
const seedRounds = 2048

/** UTF-8, separated by single spaces. The caller overwrites it. */
export function mnemonicBytes(entropy: Uint8Array): OwnBytes {
  if (entropy.length !== entropySize) throw new RangeError('Entropy of 128 bits is wanted')
  const checksum = sha256(entropy)
  const bits = concatBytes(entropy, checksum.subarray(0, 1))
  const words: Uint8Array[] = []
  for (let word = 0; word < 12; word++) {
    let index = 0
    for (let bit = word * bitsPerWord; bit < (word + 1) * bitsPerWord; bit++)
      index = (index << 1) | (((bits[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1)
    words.push(utf8(word === 0 ? (wordlist[index] ?? '') : ` ${wordlist[index] ?? ''}`))
  }
  const mnemonic = concatBytes(...words)
  wipe(checksum, bits, ...words)
  return mnemonic
}

/** 64 bytes, no passphrase; the caller overwrites them. BIP-39's NFKD changes nothing in ASCII words. */
export async function seedOf(entropy: Uint8Array): Promise<OwnBytes> {
  const mnemonic = mnemonicBytes(entropy)
  try {
    const key = await crypto.subtle.importKey('raw', mnemonic, 'PBKDF2', false, ['deriveBits'])
    const parameters = { name: 'PBKDF2', hash: 'SHA-512', salt: utf8('mnemonic'), iterations: seedRounds }
    return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, 512))
  } finally {
    wipe(mnemonic)
  }
}
