import type { HostState } from '@postern/protocol'
import type { HostSnapshot } from '../snapshot/contract'
import type { SnapshotStore } from '../snapshot/store'

const replicated = ['open', 'themeMode', 'networks', 'activeNetworkId', 'connections'] as const

/**
 * The host's truth as the page replicates it.
 *
 * 1. `seq` grows by one with each change of what the page may know; changes of anything else are not published.
 * 2. A change is published before anything that follows from it is answered: the page never learns of a result before its state.
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
  return { seq, open, themeMode, networks: [...networks], activeNetworkId, connections: { ...connections } }
}
