/** Works in Node and in a page. */
import * as ecc from '@bitcoinerlab/secp256k1'
import { crypto, initEccLib, networks, payments } from 'bitcoinjs-lib'
import { ECPairFactory, type ECPairInterface } from 'ecpair'
import { HDKey } from 'viem/accounts'
import { devnetSeed } from '../seed'

initEccLib(ecc)
const ECPair = ECPairFactory(ecc)

export type BitcoinKey = {
  readonly address: string
  /** `m/84'/1'/0'/0/0`, for example; coin type 1 is every test network's. */
  readonly path: string
  readonly key: ECPairInterface
  /** The scriptPubKey. */
  readonly output: Uint8Array
}

export type BitcoinAccount = {
  /** P2WPKH. */
  readonly payment: BitcoinKey
  /** P2TR by key path (BIP-86). `key` is not tweaked; use {@link taprootSigner}. */
  readonly ordinals: BitcoinKey & { readonly internalPubkey: Uint8Array }
}

export const regtest = networks.regtest

const derived = new Map<number, BitcoinAccount>()
let root: HDKey | undefined

/** m/84'/1'/0'/0/index and m/86'/1'/0'/0/index of the devnet's mnemonic. */
export function bitcoinAccount(index: number): BitcoinAccount {
  const known = derived.get(index)
  if (known !== undefined) return known
  const payment = keyAt(`m/84'/1'/0'/0/${index}`)
  const ordinals = keyAt(`m/86'/1'/0'/0/${index}`)
  const internalPubkey = ordinals.key.publicKey.slice(1)
  const account = {
    payment: { ...payment, ...addressed(payments.p2wpkh({ pubkey: payment.key.publicKey, network: regtest })) },
    ordinals: { ...ordinals, internalPubkey, ...addressed(payments.p2tr({ internalPubkey, network: regtest })) },
  }
  derived.set(index, account)
  return account
}

/** Signs for a BIP-86 output. */
export function taprootSigner({ key, internalPubkey }: BitcoinAccount['ordinals']): ECPairInterface {
  return key.tweak(crypto.taggedHash('TapTweak', internalPubkey))
}

function keyAt(path: string) {
  root ??= HDKey.fromMasterSeed(devnetSeed())
  const { privateKey } = root.derive(path)
  if (privateKey === null) throw new Error(`${path} has no private key.`)
  return { path, key: ECPair.fromPrivateKey(privateKey, { network: regtest }) }
}

function addressed({ address, output }: { address?: string | undefined; output?: Uint8Array | undefined }) {
  if (address === undefined || output === undefined) throw new Error('The key gives no address.')
  return { address, output }
}
