/** Finding a network by what a dapp or a wallet calls it. */
import { type CaipNetworkId, isCaipNetworkId, parseCaipNetworkId } from './caip'
import type { NetworkDefinition } from './entities'
import type { Network } from './entities-later'
import { builtInNetworks, type NetworkAlias } from './networks.gen'

/** Ids that older dapps and wallets still send, and what they mean today (`deprecatedCaipNetworkId` of spec §3). */
const renamed: ReadonlyMap<CaipNetworkId, CaipNetworkId> = new Map([
  ['solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['solana:8E9rvCKLFQia2Y35HXjjpwzj8weVo44K', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
])

/** Today's id of a network. */
export function currentNetworkId(id: CaipNetworkId): CaipNetworkId {
  return renamed.get(id) ?? id
}

/** The old id of a network that was renamed. */
export function deprecatedNetworkId(id: CaipNetworkId): CaipNetworkId | undefined {
  for (const [old, current] of renamed) if (current === id) return old
  return undefined
}

function isNetworkAlias(value: string): value is NetworkAlias {
  return Object.hasOwn(builtInNetworks, value)
}

/**
 * The network that an alias (`'base'`) or a CAIP-2 id (`'eip155:8453'`, old ids too) names; null when nobody knows it.
 * `additional` networks (a gateway's own) win over the built-in ones of the same id.
 */
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

/** The full network of spec §3 from a definition. `rpcUrls` are the definition's own: an endpoint that the dapp gave is never replaced. */
export function toNetwork(definition: NetworkDefinition): Network {
  const { namespace, reference } = parseCaipNetworkId(definition.id)
  const deprecated = deprecatedNetworkId(definition.id)
  return {
    id: namespace === 'eip155' ? Number(reference) : reference,
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
