import type { Clock } from '@postern/base/clock'
import type { RelayStatus } from '../../../snapshot/contract'
import type { Client } from './client'

/** A slower first connection counts as lost, although the library keeps trying. */
const connectTimeoutMs = 5_000

export type RelayWatch = {
  status(): RelayStatus
  subscribe(listener: () => void): () => void
  need(): void
  /** A new connection is about to replace the current one. */
  renew(): void
  follow(client: Client): () => void
  end(): void
}

/**
 * Tracks the relay connection.
 *
 * 1. `unused` until something needs the relay, and again once nothing does.
 * 2. `connecting` becomes `connected`, or `lost` after 5 s; `lost` becomes `connected` when the library reaches the
 *    relay.
 * 3. Listeners are called on changes only.
 */
export function createRelayWatch(clock: Clock): RelayWatch {
  const listeners = new Set<() => void>()
  let current: RelayStatus = 'unused'
  let stopTimer = () => {}

  function become(next: RelayStatus): void {
    stopTimer()
    if (next === 'connecting') stopTimer = clock.after(connectTimeoutMs, () => become('lost'))
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
    renew() {
      if (current === 'connected') become('connecting')
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
