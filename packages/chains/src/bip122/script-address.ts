import type { CaipNetworkId } from '@postern/protocol'
import { address as addresses, networks } from 'bitcoinjs-lib'
import { familyOf } from './family'

/** Null for data (OP_RETURN) and non-standard scripts. */
export function addressOfScript(script: Uint8Array, networkId: CaipNetworkId): string | null {
  const family = familyOf.get(networkId)
  const network = { main: networks.bitcoin, regtest: networks.regtest, test: networks.testnet }[family ?? 'test']
  try {
    return addresses.fromOutputScript(script, network)
  } catch {
    return null
  }
}
