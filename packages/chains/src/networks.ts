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

/** `publicRpcUrls`: for wallets that add the network, not for the page. */
export type ConfiguredNetwork = Network & { readonly publicRpcUrls?: readonly string[] | undefined }

export type ConfiguredNetworks = {
  readonly list: readonly ConfiguredNetwork[]
  readonly unknown: readonly string[]
  get(id: CaipNetworkId): ConfiguredNetwork | undefined
  /** Alias or CAIP-2 id. */
  find(aliasOrId: string): ConfiguredNetwork | undefined
  /** The dapp's, then the gateway's. */
  endpoints(id: CaipNetworkId): readonly string[]
}

export type NetworkSources = {
  /** `ProjectPage.networks`. */
  readonly additional: readonly NetworkDefinition[]
  readonly gatewayEndpoint: (id: CaipNetworkId) => string
  readonly imageUrl: (id: CaipNetworkId) => string
}

/**
 * Resolves a dapp's networks.
 *
 * 1. An alias or id names one of the gateway's networks or a built-in one. Others are reported in `unknown`.
 * 2. For a known network, a dapp sets only endpoints, and an explorer if there is none: it cannot pass real funds off
 *    as test funds. An unknown network gets the namespace's decimals: a dapp cannot make an amount look smaller.
 * 3. The dapp's endpoints come before the gateway's.
 * 4. A network named twice counts once, at its first position.
 * 5. The endpoints of a `fallback`, a library's chain, are ignored for a known network.
 * 6. The dapp's endpoints may contain its key. So wallets get the `publicRpcUrls` of the dapp's or the known
 *    definition, else the known `rpcUrls`.
 */
export function configureNetworks(configured: Init['networks'], sources: NetworkSources): ConfiguredNetworks {
  const byId = new Map<CaipNetworkId, { network: ConfiguredNetwork; endpoints: readonly string[] }>()
  const unknown: string[] = []
  for (const entry of configured) {
    const custom = typeof entry === 'string' ? undefined : entry
    const name = typeof entry === 'string' ? entry : entry.id
    const builtIn = resolveNetwork(name, sources.additional)
    const definition = custom ? definitionOf(custom, builtIn) : builtIn
    if (definition === null) unknown.push(name)
    else if (!byId.has(definition.id))
      byId.set(definition.id, configure(definition, endpointsOf(custom, builtIn), sources))
  }
  const get = (id: CaipNetworkId) => byId.get(id)?.network
  return {
    list: [...byId.values()].map(({ network }) => network),
    unknown,
    get,
    find(aliasOrId) {
      const id = resolveNetwork(aliasOrId, sources.additional)?.id
      return id ? get(id) : [...byId.values()].find(({ network }) => network.caipNetworkId === aliasOrId)?.network
    },
    endpoints: (id) => byId.get(id)?.endpoints ?? [],
  }
}

/** Rule 5. */
function endpointsOf(custom: NetworkDefinition | undefined, builtIn: NetworkDefinition | null): readonly string[] {
  return custom?.rpcUrls && !(custom.fallback && builtIn) ? custom.rpcUrls : []
}

/** Rule 2. */
function definitionOf(custom: NetworkDefinition, builtIn: NetworkDefinition | null): NetworkDefinition {
  if (builtIn)
    return {
      ...builtIn,
      testnet: builtIn.testnet ?? false,
      rpcUrls: custom.fallback ? builtIn.rpcUrls : (custom.rpcUrls ?? builtIn.rpcUrls),
      publicRpcUrls: [custom.publicRpcUrls, builtIn.publicRpcUrls, builtIn.rpcUrls].find(hasSome),
      blockExplorers: builtIn.blockExplorers ?? custom.blockExplorers,
    }
  const decimals = limits.nativeDecimals[parseCaipNetworkId(custom.id).namespace]
  return { ...custom, nativeCurrency: { ...custom.nativeCurrency, decimals } }
}

function hasSome(urls: readonly string[] | undefined): boolean {
  return urls !== undefined && urls.length > 0
}

function configure(definition: NetworkDefinition, own: readonly string[], sources: NetworkSources) {
  const gateway = sources.gatewayEndpoint(definition.id)
  const network = toNetwork(definition)
  return {
    network: {
      ...network,
      rpcUrls: network.rpcUrls.length > 0 ? network.rpcUrls : [gateway],
      ...(hasSome(definition.publicRpcUrls) && { publicRpcUrls: definition.publicRpcUrls }),
      assets: network.assets ?? { imageId: definition.id, imageUrl: sources.imageUrl(definition.id) },
    },
    endpoints: [...own, gateway],
  }
}
