import { type Namespace, namespaces } from '@postern/protocol'
import type { ConnectorEvent } from '../connector'

export type ConnectedNamespaces = {
  /** It has a listener or is being restored. */
  isConnected(namespace: Namespace): boolean
  isAnyConnected(): boolean
  startRestoring(namespace: Namespace): void
  stopRestoring(namespace: Namespace): void
  /** `stableId`: the user of the listener's connector. */
  listen(namespace: Namespace, stableId: string, listener: (event: ConnectorEvent) => void): () => void
  /** Disconnects listeners of another user than `stableId`; null addresses them all. */
  emit(namespace: Namespace, event: ConnectorEvent, stableId: string | null): void
  clear(): void
}

type Entry = { readonly stableId: string; readonly listener: (event: ConnectorEvent) => void }

export function createConnectedNamespaces(): ConnectedNamespaces {
  const entries = new Map<Namespace, Set<Entry>>()
  const restoring = new Set<Namespace>()

  const isConnected = (namespace: Namespace) => (entries.get(namespace)?.size ?? 0) > 0 || restoring.has(namespace)

  return {
    isConnected,
    isAnyConnected: () => namespaces.some(isConnected),
    startRestoring: (namespace) => void restoring.add(namespace),
    stopRestoring: (namespace) => void restoring.delete(namespace),
    listen(namespace, stableId, listener) {
      const listeners = entries.get(namespace) ?? new Set<Entry>()
      const entry = { stableId, listener }
      entries.set(namespace, listeners.add(entry))
      return () => void listeners.delete(entry)
    },
    emit(namespace, event, stableId) {
      for (const entry of [...(entries.get(namespace) ?? [])]) {
        const isOther = stableId !== null && entry.stableId !== stableId
        entry.listener(isOther ? { kind: 'disconnected' } : event)
      }
    },
    clear: () => entries.clear(),
  }
}
