export type EventListener = (data: unknown) => void

export type EventEmitter = {
  on(event: string, listener: EventListener): void
  off(event: string, listener: EventListener): void
  emit(event: string, data: unknown): void
}

/** An EIP-1193 provider's events. A listener that throws does not stop the others. */
export function createEventEmitter(): EventEmitter {
  const listeners = new Map<string, Set<EventListener>>()
  return {
    on(event, listener) {
      const all = listeners.get(event) ?? new Set()
      listeners.set(event, all.add(listener))
    },
    off(event, listener) {
      listeners.get(event)?.delete(listener)
    },
    emit(event, data) {
      for (const listener of [...(listeners.get(event) ?? [])]) {
        try {
          listener(data)
        } catch (cause) {
          queueMicrotask(() => {
            throw cause
          })
        }
      }
    },
  }
}
