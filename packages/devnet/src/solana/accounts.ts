/** Works in Node and in a page. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { devnetSeed } from '../seed'

export type SolanaAccount = {
  /** Base58. */
  readonly address: string
  readonly publicKey: Uint8Array
  /** The 32-byte seed. */
  readonly secretKey: Uint8Array
  readonly path: string
  /** 64 bytes of ed25519. */
  sign(message: Uint8Array): Uint8Array
}

const derived = new Map<number, SolanaAccount>()

/** SLIP-10 at m/44'/501'/index'/0', as in Solana wallets. */
export function solanaAccount(index: number): SolanaAccount {
  const known = derived.get(index)
  if (known !== undefined) return known
  const secretKey = slip10([44, 501, index, 0])
  const publicKey = ed25519.getPublicKey(secretKey)
  const account: SolanaAccount = {
    address: base58.encode(publicKey),
    publicKey,
    secretKey,
    path: `m/44'/501'/${index}'/0'`,
    sign: (message) => ed25519.sign(message, secretKey),
  }
  derived.set(index, account)
  return account
}

/** Hardened, as ed25519 requires. Source: https://github.com/satoshilabs/slips/blob/master/slip-0010.md */
function slip10(path: readonly number[]): Uint8Array {
  let node = hmac(sha512, utf8ToBytes('ed25519 seed'), devnetSeed())
  for (const step of path) {
    const index = new Uint8Array(4)
    new DataView(index.buffer).setUint32(0, step + 0x8000_0000)
    node = hmac(sha512, node.slice(32), concatBytes(Uint8Array.of(0), node.slice(0, 32), index))
  }
  return node.slice(0, 32)
}
