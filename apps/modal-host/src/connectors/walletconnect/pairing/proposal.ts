import type { ConfiguredNetworks } from '@postern/chains/networks'
import type { Namespace } from '@postern/protocol'
import { dialects } from '../dialects/dialects'

type Proposed = { chains: string[]; methods: string[]; events: string[] }
export type ProposedNamespaces = Record<string, Proposed>

/** Offers every network; none is required. Some wallets know only a renamed network's old id, so both are offered. */
export function proposedNamespaces(networks: ConfiguredNetworks, requested: readonly Namespace[]): ProposedNamespaces {
  const entries = requested.flatMap((namespace): readonly (readonly [Namespace, Proposed])[] => {
    const chains = networks.list
      .filter(({ chainNamespace }) => chainNamespace === namespace)
      .flatMap(({ caipNetworkId, deprecatedCaipNetworkId }) => [
        caipNetworkId,
        ...(deprecatedCaipNetworkId === undefined ? [] : [deprecatedCaipNetworkId]),
      ])
    const { methods, events } = dialects[namespace]
    return chains.length === 0 ? [] : [[namespace, { chains, methods: [...methods], events: [...events] }]]
  })
  return Object.fromEntries(entries)
}
