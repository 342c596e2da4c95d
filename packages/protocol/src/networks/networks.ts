import { type CaipNetworkId, isCaipNetworkId, parseCaipNetworkId } from '../caip'
import type { Network } from '../entities/network'
import type { NetworkDefinition } from '../entities/network-definition'
import { namespaceFacts } from '../namespaces/facts'
import { builtInNetworks, type NetworkAlias } from './networks.gen'

/** Old ids that are still sent (spec §3). */
const renamed: ReadonlyMap<CaipNetworkId, CaipNetworkId> = new Map([
  ['solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['solana:8E9rvCKLFQia2Y35HXjjpwzj8weVo44K', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
])

export function currentNetworkId(id: CaipNetworkId): CaipNetworkId {
  return renamed.get(id) ?? id
}

export function deprecatedNetworkId(id: CaipNetworkId): CaipNetworkId | undefined {
  for (const [old, current] of renamed) if (current === id) return old
  return undefined
}

function isNetworkAlias(value: string): value is NetworkAlias {
  return Object.hasOwn(builtInNetworks, value)
}

/** Network by alias (`'base'`) or CAIP-2 id (old ids too), or null. `additional` networks win. */
export function resolveNetwork(
  aliasOrId: string,
  additional: readonly NetworkDefinition[] = [],
): NetworkDefinition | null {
  const id = isNetworkAlias(aliasOrId) ? builtInNetworks[aliasOrId].id : aliasOrId
  if (!isCaipNetworkId(id)) return null
  const current = currentNetworkId(id)
  const isIt = (network: NetworkDefinition): boolean => network.id === current
  return additional.find(isIt) ?? Object.values(builtInNetworks).find(isIt) ?? null
}

export function toNetwork(definition: NetworkDefinition): Network {
  const { namespace, reference } = parseCaipNetworkId(definition.id)
  const deprecated = deprecatedNetworkId(definition.id)
  return {
    id: namespaceFacts[namespace].networkId(reference),
    name: definition.name,
    chainNamespace: namespace,
    caipNetworkId: definition.id,
    nativeCurrency: definition.nativeCurrency,
    rpcUrls: definition.rpcUrls ?? [],
    blockExplorers: definition.blockExplorers ?? [],
    testnet: definition.testnet ?? false,
    ...(deprecated !== undefined && { deprecatedCaipNetworkId: deprecated }),
    ...(definition.imageUrl !== undefined && { assets: { imageUrl: definition.imageUrl } }),
  }
}
