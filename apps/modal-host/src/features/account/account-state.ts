/** State of the Account view, preserved while the user opens a list and returns. */
import type { Nft } from '@postern/protocol'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { activeAccount, connectedAccounts, currentNetwork, isEmbedded } from '../../view-kit/connected-account'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { perHost } from '../../view-kit/loading/per-host'
import type { Scope } from '../portfolio/load-portfolio'

export type AccountTab = 'tokens' | 'nfts' | 'activity'

export type AccountState = {
  readonly tab: AccountTab
  readonly allNetworks: boolean
  readonly spamShownIn: readonly AccountTab[]
  readonly nft: Nft | null
}

const stateOf = perHost(() =>
  createStore<AccountState>(() => ({ tab: 'tokens', allNetworks: false, spamShownIn: [], nft: null })),
)

export function useAccountState(): AccountState {
  return useStore(stateOf(useHost()))
}

export function useSetAccountState(): (change: Partial<AccountState>) => void {
  return stateOf(useHost()).setState
}

export type SpamChoice = { readonly isShown: boolean; toggle(): void }

/** Spam is hidden until the user asks for it, per tab. */
export function useSpam(tab: AccountTab): SpamChoice {
  const { spamShownIn } = useAccountState()
  const set = useSetAccountState()
  const isShown = spamShownIn.includes(tab)
  const others = spamShownIn.filter((other) => other !== tab)
  return { isShown, toggle: () => set({ spamShownIn: isShown ? others : [...others, tab] }) }
}

export type AccountScopes = {
  readonly scopes: readonly Scope[]
  readonly allNetworks: boolean
  readonly hasMore: boolean
}

/** An account with more networks is queried for all at once. */
const maxSingleQueries = 8

/** The active network's account, or all; empty on an unsupported network. */
export function useScopes(): AccountScopes {
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const network = useSnapshot(currentNetwork)
  const { allNetworks } = useAccountState()
  const connected = activeAccount({ connections, activeNetworkId })
  const all = connectedAccounts({ connections }).flatMap((one): Scope[] => {
    const accountNetworks = networks.filter(({ chainNamespace }) => chainNamespace === one.namespace)
    if (one.unsupported || accountNetworks.length === 0) return []
    const scope = { address: one.account.address, mayQueryWallet: !isEmbedded(one) }
    // Single queries do not wait for each other, and share their cache with the network's own view.
    return accountNetworks.length <= maxSingleQueries
      ? accountNetworks.map((network) => ({ ...scope, networks: [network] }))
      : [{ ...scope, networks: accountNetworks }]
  })
  const active: readonly Scope[] =
    connected === null || connected.unsupported || network === null
      ? []
      : [{ address: connected.account.address, networks: [network], mayQueryWallet: !isEmbedded(connected) }]
  const hasMore = all.reduce((count, scope) => count + scope.networks.length, 0) > 1
  const isAllNetworks = allNetworks && hasMore && active.length > 0
  return { scopes: isAllNetworks ? all : active, allNetworks: isAllNetworks, hasMore }
}
