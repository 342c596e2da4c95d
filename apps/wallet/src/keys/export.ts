/** In the formats of other wallets. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58, createBase58check, hex } from '@scure/base'
import { concatBytes, type OwnBytes, wipe } from './bytes'
import type { WalletKeys } from './derive'
import { mnemonicBytes } from './mnemonic'

export type ExportedKeys = {
  readonly mnemonic: string
  readonly eip155: string
  readonly solana: string
  readonly bip122: string
}

/** Mainnet's version byte, and the compressed-key flag. Source: https://en.bitcoin.it/wiki/Wallet_import_format */
const [wifVersion, wifCompressed] = [0x80, 0x01]
const base58check = createBase58check((bytes: Uint8Array) => Uint8Array.from(sha256(bytes)))

export function exportOf({ entropy, keys }: { readonly entropy: OwnBytes; readonly keys: WalletKeys }): ExportedKeys {
  const words = mnemonicBytes(entropy)
  const solana = concatBytes(keys.solana, ed25519.getPublicKey(keys.solana))
  const bip122 = concatBytes(Uint8Array.of(wifVersion), keys.bip122, Uint8Array.of(wifCompressed))
  try {
    return {
      mnemonic: new TextDecoder().decode(words),
      eip155: `0x${hex.encode(keys.eip155)}`,
      solana: base58.encode(solana),
      bip122: base58check.encode(bip122),
    }
  } finally {
    wipe(words, solana, bip122)
  }
}
