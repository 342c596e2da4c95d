import type { CaipNetworkId } from '@postern/protocol'
import { fromBase58Check, fromBech32 } from 'bitcoinjs-lib/src/address'
import { bitcoin, testnet } from 'bitcoinjs-lib/src/networks'
import { compile, OPS } from 'bitcoinjs-lib/src/script'
import { type AddressFamily, familyOf, familyOfPrefix } from './family'

export type AddressKind = 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr'

export type BitcoinAddress = {
  /** Bech32 in lower case. */
  readonly address: string
  readonly kind: AddressKind
  readonly family: AddressFamily
  readonly script: Uint8Array
}

/** Most likely first. */
export function networksOfAddress({ family }: BitcoinAddress): readonly CaipNetworkId[] {
  return [...familyOf].filter(([, other]) => fits(family, other)).map(([id]) => id)
}

export function isAddressOn({ family }: BitcoinAddress, networkId: CaipNetworkId): boolean {
  const other = familyOf.get(networkId)
  return other !== undefined && fits(family, other)
}

function fits(family: AddressFamily, network: AddressFamily): boolean {
  return family === network || (family === 'anyTest' && network !== 'main')
}

/** Undefined if invalid, or spendable by anyone: witness version above 1, or 1 without a taproot key. */
export function parseBitcoinAddress(text: string): BitcoinAddress | undefined {
  return text.length > maxLength ? undefined : (parseSegwit(text) ?? parseBase58(text))
}

const maxLength = 90

/** Regtest has testnet's. */
const versions: ReadonlyMap<number, { readonly kind: 'p2pkh' | 'p2sh'; readonly family: AddressFamily }> = new Map([
  [bitcoin.pubKeyHash, { kind: 'p2pkh', family: 'main' }],
  [bitcoin.scriptHash, { kind: 'p2sh', family: 'main' }],
  [testnet.pubKeyHash, { kind: 'p2pkh', family: 'anyTest' }],
  [testnet.scriptHash, { kind: 'p2sh', family: 'anyTest' }],
])

/** `toOutputScript` accepts unknown witness versions and needs a curve library. */
function parseSegwit(text: string): BitcoinAddress | undefined {
  const result = decoded(() => fromBech32(text))
  const family = familyOfPrefix.get(result?.prefix ?? '')
  if (result === undefined || family === undefined) return undefined
  const { version, data } = result
  const kind = witnessKind(version, data.length)
  if (kind === undefined) return undefined
  return { address: text.toLowerCase(), kind, family, script: compile([version === 0 ? OPS.OP_0 : OPS.OP_1, data]) }
}

function witnessKind(version: number, size: number): AddressKind | undefined {
  if (version === 0 && size === 20) return 'p2wpkh'
  if (size !== 32) return undefined
  return version === 0 ? 'p2wsh' : version === 1 ? 'p2tr' : undefined
}

function parseBase58(text: string): BitcoinAddress | undefined {
  const result = decoded(() => fromBase58Check(text))
  const meaning = result && versions.get(result.version)
  if (result === undefined || meaning === undefined) return undefined
  const { hash } = result
  const script =
    meaning.kind === 'p2pkh'
      ? [OPS.OP_DUP, OPS.OP_HASH160, hash, OPS.OP_EQUALVERIFY, OPS.OP_CHECKSIG]
      : [OPS.OP_HASH160, hash, OPS.OP_EQUAL]
  return { address: text, ...meaning, script: compile(script) }
}

function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
