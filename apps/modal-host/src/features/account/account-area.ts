/** Preserved while the visitor opens a list and returns. */
import type { Nft } from '@postern/protocol'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { allHeld, currentNetwork, heldOf, isEmbedded } from '../../view-kit/held'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { perHost } from '../../view-kit/per-host'
import type { Scope } from '../portfolio/load-portfolio'

export type AccountTab = 'tokens' | 'nfts' | 'activity'

export type AccountArea = {
  readonly tab: AccountTab
  /** All networks instead of the active one. */
  readonly everywhere: boolean
  readonly showsSpam: boolean
  readonly nft: Nft | null
}

const areaOf = perHost(() =>
  createStore<AccountArea>(() => ({ tab: 'tokens', everywhere: false, showsSpam: false, nft: null })),
)

export function useArea(): AccountArea {
  return useStore(areaOf(useHost()))
}

export function useSetArea(): (change: Partial<AccountArea>) => void {
  return areaOf(useHost()).setState
}

export type AccountScopes = {
  readonly scopes: readonly Scope[]
  readonly everywhere: boolean
  readonly hasMore: boolean
}

/** Max networks of an account that are queried one by one. */
const mostApart = 8

/** The active network's account, or all; empty on an unsupported network. */
export function useScopes(): AccountScopes {
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const network = useSnapshot(currentNetwork)
  const { everywhere } = useArea()
  const held = heldOf({ connections, activeNetworkId })
  const all = allHeld({ connections }).flatMap((one): Scope[] => {
    const own = networks.filter(({ chainNamespace }) => chainNamespace === one.namespace)
    if (one.unsupported || own.length === 0) return []
    const scope = { address: one.account.address, asksWallet: !isEmbedded(one) }
    // Single queries do not wait for each other and share their cache with the network's own view.
    return own.length <= mostApart
      ? own.map((network) => ({ ...scope, networks: [network] }))
      : [{ ...scope, networks: own }]
  })
  const here: readonly Scope[] =
    held === null || held.unsupported || network === null
      ? []
      : [{ address: held.account.address, networks: [network], asksWallet: !isEmbedded(held) }]
  const hasMore = all.reduce((count, scope) => count + scope.networks.length, 0) > 1
  const isEverywhere = everywhere && hasMore && here.length > 0
  return { scopes: isEverywhere ? all : here, everywhere: isEverywhere, hasMore }
}
