import type { ConfiguredNetworks } from '@postern/chains/networks'
import type { Namespace } from '@postern/protocol'
import { dialects } from './dialects/dialects'

type Proposed = { chains: string[]; methods: string[]; events: string[] }
export type ProposedNamespaces = Record<string, Proposed>

/**
 * What a pairing offers: every configured network of the wanted namespaces, with the methods and events of its namespace, and nothing required.
 * A renamed network is offered under both of its names: some wallets know only the old one.
 */
export function proposedNamespaces(networks: ConfiguredNetworks, wanted: readonly Namespace[]): ProposedNamespaces {
  const entries = wanted.flatMap((namespace): readonly (readonly [Namespace, Proposed])[] => {
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
