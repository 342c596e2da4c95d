import { address as addresses, type Network, networks } from 'bitcoinjs-lib'

export type Output = {
  readonly kind: 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr'
  /** Hash of key or script; for P2TR the key. */
  readonly program: Uint8Array
  readonly script: Uint8Array
}

const networkOf: ReadonlyMap<string, Network> = new Map([
  ['000000000019d6689c085ae165831e93', networks.bitcoin],
  ['000000000933ea01ad0ee984209779ba', networks.testnet],
  ['00000000da84f2bafbbc53dee25a72ae', networks.testnet],
  ['00000008819873e925422c1ff0f99f7c', networks.testnet],
  ['0f9188f13cb7b2c71f2a335e3a4fc328', networks.regtest],
])

export function outputOf(text: string, reference: string): Output | undefined {
  const network = networkOf.get(reference)
  if (network === undefined) return undefined
  return segwit(text, network) ?? base58(text, network)
}

/** BIP-173 allows uppercase, but sessions compare text. */
function segwit(text: string, network: Network): Output | undefined {
  if (text !== text.toLowerCase()) return undefined
  const decoded = orUndefinedIfThrows(() => addresses.fromBech32(text))
  if (decoded === undefined || decoded.prefix !== network.bech32) return undefined
  const { version, data: program } = decoded
  const kind = witnessKinds[`${version}/${program.length}`]
  if (kind === undefined) return undefined
  return { kind, program, script: Uint8Array.of(version === 0 ? 0 : 0x50 + version, program.length, ...program) }
}

const witnessKinds: Readonly<Record<string, Output['kind']>> = { '0/20': 'p2wpkh', '0/32': 'p2wsh', '1/32': 'p2tr' }

function base58(text: string, network: Network): Output | undefined {
  const decoded = orUndefinedIfThrows(() => addresses.fromBase58Check(text))
  if (decoded === undefined) return undefined
  const { version, hash: program } = decoded
  if (version === network.pubKeyHash) return { kind: 'p2pkh', program, script: payToKeyHash(program) }
  // OP_HASH160 <hash> OP_EQUAL
  if (version === network.scriptHash)
    return { kind: 'p2sh', program, script: Uint8Array.of(0xa9, 20, ...program, 0x87) }
  return undefined
}

/** OP_DUP OP_HASH160 <hash> OP_EQUALVERIFY OP_CHECKSIG */
export function payToKeyHash(hash: Uint8Array): Uint8Array {
  return Uint8Array.of(0x76, 0xa9, 20, ...hash, 0x88, 0xac)
}

/** OP_0 <hash>: P2WPKH. */
export function payToWitnessKeyHash(hash: Uint8Array): Uint8Array {
  return Uint8Array.of(0, 20, ...hash)
}

function orUndefinedIfThrows<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
