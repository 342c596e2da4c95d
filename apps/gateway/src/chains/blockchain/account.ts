import {
  builtInNetworks,
  type CaipNetworkId,
  type Namespace,
  type NetworkDefinition,
  parseCaipNetworkId,
  resolveNetwork,
} from '@postern/protocol'
import type { GatewayNetwork } from '../../platform/upstreams/gateway-network'

export type Account = { readonly namespace: Namespace; readonly address: string }

export type KnownNetwork = {
  readonly id: CaipNetworkId
  readonly namespace: Namespace
  readonly urls: readonly string[]
  readonly definition: NetworkDefinition
  /** Read if no network is named. */
  readonly isCommon: boolean
}

export function knownNetworks(networks: readonly GatewayNetwork[]): ReadonlyMap<CaipNetworkId, KnownNetwork> {
  const builtIn = new Set(Object.values(builtInNetworks).map(({ id }) => id))
  const known = new Map<CaipNetworkId, KnownNetwork>()
  for (const { id, upstreams, definition: own } of networks) {
    const definition = own ?? resolveNetwork(id)
    if (definition === null) continue
    const { namespace } = parseCaipNetworkId(id)
    const isCommon = !builtIn.has(id) || definition.testnet !== true
    known.set(id, { id, namespace, urls: upstreams, definition, isCommon })
  }
  return known
}
