/** Loads before `bitcoinjs-lib`. */
import type { CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { bech32 } from '@scure/base'
import { ripemd160, sha256 } from 'ox/Hash'
import { familyOf, familyOfPrefix } from './family'

/** P2WPKH (BIP-84). `publicKey`: compressed, hex. @throws {Failure} INVALID_PARAMS */
export function segwitAddressOf(publicKey: string, networkId: CaipNetworkId): string {
  const family = familyOf.get(networkId)
  const prefix = [...familyOfPrefix].find(([, other]) => other === family)?.[0]
  if (prefix === undefined) throw new Failure('INVALID_PARAMS')
  const program = ripemd160(sha256(`0x${publicKey}`), { as: 'Bytes' })
  return bech32.encode(prefix, [0, ...bech32.toWords(Uint8Array.from(program))])
}
