import {
  type CaipNetworkId,
  type Init,
  limits,
  type Network,
  type NetworkDefinition,
  parseCaipNetworkId,
  resolveNetwork,
  toNetwork,
} from '@postern/protocol'

/** The networks of one dapp, and where each one's chain is read. */
export type ConfiguredNetworks = {
  readonly list: readonly Network[]
  /** What the dapp named and nobody knows. */
  readonly unknown: readonly string[]
  get(id: CaipNetworkId): Network | undefined
  /** By alias or CAIP-2 id, among the configured ones only. */
  find(aliasOrId: string): Network | undefined
  /** Endpoints in the order in which they are asked: the dapp's own, then the gateway. JSON-RPC, or on Bitcoin bases of Esplora's API. */
  endpoints(id: CaipNetworkId): readonly string[]
}

export type NetworkSources = {
  /** The gateway's additional networks (`ProjectPage.networks`). */
  readonly additional: readonly NetworkDefinition[]
  /** The gateway's endpoint of a network. */
  readonly gatewayEndpoint: (id: CaipNetworkId) => string
  readonly imageUrl: (id: CaipNetworkId) => string
}

/**
 * 1. An alias or id names a network of the gateway's or a built-in one; one that neither knows is reported in `unknown`.
 * 2. Of a known network a dapp's definition decides the endpoints alone. What is known of it (name, explorer, currency, picture, and whether its money is worth anything)
 *    stays as it is known, or somebody would give real money away for that of a test; an explorer that nobody knows is the dapp's to add. A network that nobody else knows is
 *    what its definition says, but for the decimals of its currency: those are the namespace's, or a thousand times as much would leave as is shown.
 * 3. The dapp's own endpoints are asked before the gateway and are never replaced by it.
 * 4. A network named twice counts once, by its first mention; the order is the dapp's.
 */
export function configureNetworks(asked: Init['networks'], sources: NetworkSources): ConfiguredNetworks {
  const byId = new Map<CaipNetworkId, { network: Network; endpoints: readonly string[] }>()
  const unknown: string[] = []
  for (const entry of asked) {
    const own = typeof entry === 'string' ? undefined : entry
    const name = typeof entry === 'string' ? entry : entry.id
    const known = resolveNetwork(name, sources.additional)
    const definition = own ? definitionOf(own, known) : known
    if (definition === null) unknown.push(name)
    else if (!byId.has(definition.id)) byId.set(definition.id, configure(definition, own?.rpcUrls ?? [], sources))
  }
  const get = (id: CaipNetworkId) => byId.get(id)?.network
  return {
    list: [...byId.values()].map(({ network }) => network),
    unknown,
    get,
    find(aliasOrId) {
      const id = resolveNetwork(aliasOrId, sources.additional)?.id
      // A network that only the dapp defines has no alias, and is found by its id.
      return id ? get(id) : [...byId.values()].find(({ network }) => network.caipNetworkId === aliasOrId)?.network
    },
    endpoints: (id) => byId.get(id)?.endpoints ?? [],
  }
}

/** 2. */
function definitionOf(own: NetworkDefinition, known: NetworkDefinition | null): NetworkDefinition {
  if (known)
    return {
      ...known,
      testnet: known.testnet ?? false,
      rpcUrls: own.rpcUrls ?? known.rpcUrls,
      blockExplorers: known.blockExplorers ?? own.blockExplorers,
    }
  const decimals = limits.nativeDecimals[parseCaipNetworkId(own.id).namespace]
  return { ...own, nativeCurrency: { ...own.nativeCurrency, decimals } }
}

function configure(definition: NetworkDefinition, own: readonly string[], sources: NetworkSources) {
  const gateway = sources.gatewayEndpoint(definition.id)
  const network = toNetwork(definition)
  return {
    network: {
      ...network,
      // What a wallet is told when it is asked to add the chain: endpoints that it can reach by itself come first.
      rpcUrls: network.rpcUrls.length > 0 ? network.rpcUrls : [gateway],
      assets: { imageUrl: network.assets?.imageUrl ?? sources.imageUrl(definition.id) },
    },
    endpoints: [...own, gateway],
  }
}
