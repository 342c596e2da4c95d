import type { Clock } from '@postern/protocol/clock'
import type { RelayStatus } from '../../snapshot/contract'
import type { Client } from './client'

/** A first connection that takes longer than this is told as lost, though it is still tried. */
const patience = 5_000

export type RelayWatch = {
  status(): RelayStatus
  subscribe(listener: () => void): () => void
  /** Something needs the relay now. */
  need(): void
  /** Follows a client's socket until the returned function is called. */
  follow(client: Client): () => void
  end(): void
}

/**
 * 1. `unused` until something needs the relay, and again once nothing does.
 * 2. `connecting` becomes `connected`, or `lost` after 5 s; `lost` becomes `connected` when the library has reached it again.
 * 3. Listeners hear of changes only.
 */
export function createRelayWatch(clock: Clock): RelayWatch {
  const listeners = new Set<() => void>()
  let current: RelayStatus = 'unused'
  let stopPatience = () => {}

  function become(next: RelayStatus): void {
    stopPatience()
    if (next === 'connecting') stopPatience = clock.after(patience, () => become('lost'))
    if (next === current) return
    current = next
    for (const listener of [...listeners]) listener()
  }

  return {
    status: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    need() {
      if (current === 'unused') become('connecting')
    },
    follow(client) {
      const { relayer } = client.core
      const up = () => become('connected')
      const down = () => {
        if (current === 'connected') become(relayer.subscriber.hasAnyTopics ? 'lost' : 'unused')
      }
      relayer.on('relayer_connect', up)
      relayer.on('relayer_disconnect', down)
      if (relayer.connected) up()
      return () => {
        relayer.off('relayer_connect', up)
        relayer.off('relayer_disconnect', down)
      }
    },
    end() {
      become('unused')
      listeners.clear()
    },
  }
}
