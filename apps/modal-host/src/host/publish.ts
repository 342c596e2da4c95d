import type { ConfiguredNetwork } from '@postern/chains/networks'
import type { HostState, Network } from '@postern/protocol'
import type { HostSnapshot } from '../snapshot/contract'
import type { SnapshotStore } from '../snapshot/store'

const replicated = ['open', 'themeMode', 'networks', 'activeNetworkId', 'connections'] as const

/**
 * Publishes the host's state to the page, which replicates it.
 *
 * 1. `seq` increases by one with each change that the page may see.
 * 2. Networks go without the endpoints for wallets, which older SDKs do not know.
 * 3. A change is published before any result that follows from it.
 */
export type Publisher = { state(): HostState; end(): void }

export function createPublisher(store: SnapshotStore, publish: (state: HostState) => void): Publisher {
  let seq = 0
  const stop = store.subscribe((snapshot, before) => {
    if (replicated.every((key) => snapshot[key] === before[key])) return
    seq += 1
    publish(toHostState(snapshot, seq))
  })
  return { state: () => toHostState(store.getState(), seq), end: stop }
}

function toHostState(snapshot: HostSnapshot, seq: number): HostState {
  const { open, themeMode, networks, activeNetworkId, connections } = snapshot
  return { seq, open, themeMode, networks: networks.map(forPage), activeNetworkId, connections: { ...connections } }
}

function forPage({ publicRpcUrls: _, ...network }: ConfiguredNetwork): Network {
  return network
}
