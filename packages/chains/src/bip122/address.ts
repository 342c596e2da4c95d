/** Bitcoin addresses: base58check (P2PKH, P2SH), bech32 (BIP-173) and bech32m (BIP-350). */
import type { CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { bech32, bech32m, createBase58check } from '@scure/base'
import { ripemd160, sha256 } from 'ox/Hash'

export type AddressKind = 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr'

/** Base58 has one form for all test networks, bech32 a prefix for regtest. */
type AddressFamily = 'main' | 'test' | 'regtest' | 'anyTest'

export type BitcoinAddress = {
  /** Bech32 in lower case. */
  readonly address: string
  readonly kind: AddressKind
  readonly family: AddressFamily
  /** The output script that pays to it. */
  readonly script: Uint8Array
}

/** Ids are the first 32 characters of the genesis block's hash (BIP-122). */
const familyOf: ReadonlyMap<CaipNetworkId, Exclude<AddressFamily, 'anyTest'>> = new Map([
  ['bip122:000000000019d6689c085ae165831e93', 'main'],
  ['bip122:000000000933ea01ad0ee984209779ba', 'test'],
  ['bip122:00000000da84f2bafbbc53dee25a72ae', 'test'],
  ['bip122:00000008819873e925422c1ff0f99f7c', 'test'],
  ['bip122:0f9188f13cb7b2c71f2a335e3a4fc328', 'regtest'],
])

/** Most likely first. */
export function networksOfAddress({ family }: BitcoinAddress): readonly CaipNetworkId[] {
  return [...familyOf].filter(([, other]) => fits(family, other)).map(([id]) => id)
}

/** False on networks that are not Bitcoin's. */
export function isAddressOn({ family }: BitcoinAddress, networkId: CaipNetworkId): boolean {
  const other = familyOf.get(networkId)
  return other !== undefined && fits(family, other)
}

function fits(family: AddressFamily, network: AddressFamily): boolean {
  return family === network || (family === 'anyTest' && network !== 'main')
}

/** Undefined if invalid, or if anyone can spend from it: witness versions above 1, version 1 without a taproot key. */
export function parseBitcoinAddress(text: string): BitcoinAddress | undefined {
  return text.length > longest ? undefined : (parseSegwit(text) ?? parseBase58(text))
}

const longest = 90

/**
 * Native segwit (P2WPKH, BIP-84) of a compressed key.
 * @param publicKey 33 bytes in hexadecimal.
 * @throws {Failure} INVALID_PARAMS if the network is not Bitcoin's.
 */
export function segwitAddressOf(publicKey: string, networkId: CaipNetworkId): string {
  const family = familyOf.get(networkId)
  const prefix = [...families].find(([, other]) => other === family)?.[0]
  if (prefix === undefined) throw new Failure('INVALID_PARAMS')
  const program = ripemd160(sha256(`0x${publicKey}`), { as: 'Bytes' })
  return bech32.encode(prefix, [0, ...bech32.toWords(Uint8Array.from(program))])
}

const families: ReadonlyMap<string, AddressFamily> = new Map([
  ['bc', 'main'],
  ['tb', 'test'],
  ['bcrt', 'regtest'],
])

/** Version bytes. Source: https://en.bitcoin.it/wiki/List_of_address_prefixes */
const versions: ReadonlyMap<number, { readonly kind: 'p2pkh' | 'p2sh'; readonly family: AddressFamily }> = new Map([
  [0x00, { kind: 'p2pkh', family: 'main' }],
  [0x05, { kind: 'p2sh', family: 'main' }],
  [0x6f, { kind: 'p2pkh', family: 'anyTest' }],
  [0xc4, { kind: 'p2sh', family: 'anyTest' }],
])

const base58check = createBase58check((bytes: Uint8Array) => Uint8Array.from(sha256(bytes, { as: 'Bytes' })))

function parseSegwit(text: string): BitcoinAddress | undefined {
  for (const coder of [bech32, bech32m]) {
    const decoded = coder.decodeUnsafe(text)
    if (decoded === undefined) continue
    const [version, ...words] = decoded.words
    const family = families.get(decoded.prefix)
    const program = coder.fromWordsUnsafe(words)
    if (family === undefined || version === undefined || !program) return undefined
    // BIP-350: bech32 for version 0, bech32m for others.
    const kind = coder === bech32 ? witnessKind(version === 0, program) : taprootKind(version === 1, program)
    if (kind === undefined) return undefined
    const opcode = version === 0 ? 0 : 0x50 + version
    return { address: text.toLowerCase(), kind, family, script: Uint8Array.of(opcode, program.length, ...program) }
  }
  return undefined
}

function witnessKind(isVersionZero: boolean, program: Uint8Array): AddressKind | undefined {
  if (!isVersionZero) return undefined
  return program.length === 20 ? 'p2wpkh' : program.length === 32 ? 'p2wsh' : undefined
}

function taprootKind(isVersionOne: boolean, program: Uint8Array): AddressKind | undefined {
  return isVersionOne && program.length === 32 ? 'p2tr' : undefined
}

function parseBase58(text: string): BitcoinAddress | undefined {
  const payload = decodeBase58(text)
  const [version, ...hash] = payload ?? []
  const meaning = version === undefined || hash.length !== 20 ? undefined : versions.get(version)
  if (meaning === undefined) return undefined
  const script =
    meaning.kind === 'p2pkh'
      ? // OP_DUP OP_HASH160 <hash> OP_EQUALVERIFY OP_CHECKSIG
        Uint8Array.of(0x76, 0xa9, 20, ...hash, 0x88, 0xac)
      : // OP_HASH160 <hash> OP_EQUAL
        Uint8Array.of(0xa9, 20, ...hash, 0x87)
  return { address: text, ...meaning, script }
}

function decodeBase58(text: string): Uint8Array | undefined {
  try {
    return base58check.decode(text)
  } catch {
    return undefined
  }
}
