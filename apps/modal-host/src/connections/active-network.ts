import type { ConfiguredNetworks } from '@postern/chains/networks'
import type { CaipNetworkId, Connection, Namespace } from '@postern/protocol'
import type { HostSnapshot } from '../snapshot/contract'
import { activeNamespaceOf, hasAccount } from '../snapshot/opening'
import type { SnapshotStore } from '../snapshot/store'
import type { Cause } from './sessions/namespace-session'
import type { SessionStore } from './sessions/stored'

export type ActiveNetwork = {
  /** Returns whether the connection is the active namespace's. */
  follow(namespace: Namespace, connection: Connection, cause: Cause): boolean
  set(id: CaipNetworkId): void
  /** Adopts another tab's choice while disconnected. */
  sync(): void
  /** The last chosen network, else the first configured. */
  preferred(namespace: Namespace): CaipNetworkId
}

/**
 * The active network; its namespace is the active namespace.
 *
 * 1. It starts as the stored one if still configured, else the dapp's first network.
 * 2. It follows the wallet of the active namespace, and what the user connects or chooses in any namespace. Namespaces
 *    granted along with that, or restored, do not become active.
 * 3. When the active namespace's connection ends, another connected namespace becomes active. When that one ends too,
 *    the network is again the one that was active before, not the last to disconnect.
 * 4. A network that is not configured is active only while a wallet is on it.
 * 5. Each namespace remembers its last chosen network.
 */
export function createActiveNetwork(options: {
  readonly store: SnapshotStore
  readonly stored: SessionStore
  readonly networks: ConfiguredNetworks
  readonly first: CaipNetworkId
}): ActiveNetwork {
  const { store, stored, networks, first } = options
  const chosen = new Map<Namespace, CaipNetworkId>()

  function configured(id: CaipNetworkId | null | undefined): CaipNetworkId | undefined {
    return id && networks.get(id) ? id : undefined
  }

  function choose(id: CaipNetworkId): void {
    const network = networks.get(id)
    if (network !== undefined) chosen.set(network.chainNamespace, id)
  }

  /** Rule 4. */
  function usableNetwork(active: CaipNetworkId | null, all: readonly Connection[]): CaipNetworkId | null {
    if (active === null || configured(active)) return active
    return all.some((connection) => networkOf(connection) === active) ? active : first
  }

  function next(before: HostSnapshot['connections'], namespace: Namespace, connection: Connection, cause: Cause) {
    const { activeNetworkId: active, namespaces } = store.getState()
    const all = namespaces.flatMap((name) => (name === namespace ? connection : (before[name] ?? [])))
    const isActive = activeNamespaceOf({ activeNetworkId: active }) === namespace
    const own = networkOf(connection)
    if (own !== undefined && (isActive || cause === 'visitor')) {
      if (own !== active) home = own
      return own
    }
    const previous = before[namespace]
    const isLost = isActive && connection.status === 'disconnected' && previous !== undefined && hasAccount(previous)
    if (!isLost) return usableNetwork(active, all)
    // Rule 3: prefers connected over reconnecting.
    const other = all.find(({ status }) => status === 'connected') ?? all.find(hasAccount)
    return other === undefined ? usableNetwork(configured(home) ?? active, all) : (networkOf(other) ?? active)
  }

  const initial = configured(stored.activeNetwork()) ?? first
  /** Rule 3: the network before other namespaces replaced it. */
  let home = initial
  choose(initial)
  store.setState({ activeNetworkId: initial })

  return {
    follow(namespace, connection, cause) {
      const { connections, activeNetworkId: was } = store.getState()
      const activeNetworkId = next(connections, namespace, connection, cause)
      store.setState({ connections: { ...connections, [namespace]: connection }, activeNetworkId })
      if (connection.status === 'connected') choose(connection.networkId)
      const isMoved = activeNetworkId !== was && cause !== 'sync'
      if (activeNetworkId && configured(activeNetworkId) && (connection.status === 'connected' || isMoved))
        stored.keepActiveNetwork(activeNetworkId)
      return activeNamespaceOf({ activeNetworkId }) === namespace
    },
    set(id) {
      home = id
      choose(id)
      store.setState({ activeNetworkId: id })
      if (configured(id)) stored.keepActiveNetwork(id)
    },
    sync() {
      const elsewhere = configured(stored.activeNetwork())
      const isAnyInUse = Object.values(store.getState().connections).some(
        (connection) => connection !== undefined && connection.status !== 'disconnected',
      )
      if (isAnyInUse || elsewhere === undefined) return
      home = elsewhere
      store.setState({ activeNetworkId: elsewhere })
    },
    preferred(namespace) {
      const candidates = [store.getState().activeNetworkId, chosen.get(namespace), stored.session(namespace)?.networkId]
      const own = candidates.find((id) => configured(id) && id?.startsWith(`${namespace}:`))
      return own ?? networks.list.find(({ chainNamespace }) => chainNamespace === namespace)?.caipNetworkId ?? first
    },
  }
}

function networkOf(connection: Connection): CaipNetworkId | undefined {
  return connection.status === 'disconnected' ? undefined : connection.networkId
}
