import type { CaipNetworkId } from '@postern/protocol'
import { address as addresses, networks } from 'bitcoinjs-lib'
import { familyOf } from './family'

/** The address that an output script pays to; null if it has none: data (OP_RETURN), or a non-standard script. */
export function addressOfScript(script: Uint8Array, networkId: CaipNetworkId): string | null {
  const family = familyOf.get(networkId)
  const network = { main: networks.bitcoin, regtest: networks.regtest, test: networks.testnet }[family ?? 'test']
  try {
    return addresses.fromOutputScript(script, network)
  } catch {
    return null
  }
}
