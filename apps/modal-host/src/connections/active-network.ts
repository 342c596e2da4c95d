import type { ConfiguredNetworks } from '@postern/chains/networks'
import type { CaipNetworkId, Connection, Namespace } from '@postern/protocol'
import type { HostSnapshot } from '../snapshot/contract'
import { activeNamespaceOf, isHeld } from '../snapshot/opening'
import type { SnapshotStore } from '../snapshot/store'
import type { Cause } from './sessions'
import type { SessionStore } from './stored'

export type ActiveNetwork = {
  /** A connection is another one now. Says whether it is the one that the modal is about. */
  follow(namespace: Namespace, connection: Connection, cause: Cause): boolean
  set(id: CaipNetworkId): void
  /** Another tab chose while nobody is connected here. */
  sync(): void
  /** Where a session of the namespace lands by itself: what was chosen there last, else the first configured. */
  preferred(namespace: Namespace): CaipNetworkId
}

/**
 * The active network; its namespace is the active namespace.
 *
 * 1. It is where it was left, if that is still configured, else the dapp's first network.
 * 2. It follows the active namespace's wallet, and what the visitor connects or chooses in any namespace. What is granted along with that, or
 *    found again, changes no other namespace into the active one.
 * 3. With the end of the active namespace's connection another connected namespace becomes the active one.
 * 4. A network that is not configured is only ever active while a wallet is on it.
 * 5. Each namespace remembers what was chosen in it last, for the wallets that are told where to land.
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
  function tenable(active: CaipNetworkId | null, all: readonly Connection[]): CaipNetworkId | null {
    if (active === null || configured(active)) return active
    return all.some((connection) => networkOf(connection) === active) ? active : first
  }

  function next(before: HostSnapshot['connections'], namespace: Namespace, connection: Connection, cause: Cause) {
    const { activeNetworkId: active, namespaces } = store.getState()
    const all = namespaces.flatMap((name) => (name === namespace ? connection : (before[name] ?? [])))
    const isActive = activeNamespaceOf({ activeNetworkId: active }) === namespace
    const own = networkOf(connection)
    if (own !== undefined) return isActive || cause === 'visitor' ? own : tenable(active, all)
    const held = before[namespace]
    const isLost = isActive && connection.status === 'disconnected' && held !== undefined && isHeld(held)
    // Rule 3: a connected one, else one that is being found again.
    const other = all.find(({ status }) => status === 'connected') ?? all.find(isHeld)
    return (isLost && other && networkOf(other)) || tenable(active, all)
  }

  const left = configured(stored.activeNetwork()) ?? first
  choose(left)
  store.setState({ activeNetworkId: left })

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
      choose(id)
      store.setState({ activeNetworkId: id })
      if (configured(id)) stored.keepActiveNetwork(id)
    },
    sync() {
      const elsewhere = configured(stored.activeNetwork())
      const isAnyHeld = Object.values(store.getState().connections).some(
        (connection) => connection !== undefined && connection.status !== 'disconnected',
      )
      if (!isAnyHeld && elsewhere !== undefined) store.setState({ activeNetworkId: elsewhere })
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
