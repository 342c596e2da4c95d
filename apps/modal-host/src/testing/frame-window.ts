import type { FrameWindow } from '../page-link/handshake'

export type Posted = { readonly message: unknown; readonly target: unknown }

/** Records messages to its parent, and counts listeners. */
export function frameWindow({ isTopLevel = false }: { isTopLevel?: boolean } = {}) {
  const posted: Posted[] = []
  const listeners = new Set<{ type: string; listener: (event: never) => void }>()
  const parent = {
    postMessage(message: unknown, target?: unknown) {
      posted.push({ message, target })
    },
  }
  const target = new EventTarget()
  const window: FrameWindow & { postMessage(message: unknown): void } = {
    get parent() {
      return isTopLevel ? window : parent
    },
    postMessage: (message) => void posted.push({ message, target: undefined }),
    addEventListener(type: string, listener: EventListenerOrEventListenerObject) {
      if (typeof listener === 'function') listeners.add({ type, listener })
      target.addEventListener(type, listener)
    },
    removeEventListener(type: string, listener: EventListenerOrEventListenerObject) {
      for (const entry of listeners) if (entry.type === type && entry.listener === listener) listeners.delete(entry)
      target.removeEventListener(type, listener)
    },
  }

  /** Source and origin are the browser's, data is the sender's. */
  function receive(message: { data: unknown; origin: string; source?: unknown; ports?: readonly MessagePort[] }): void {
    const { data, origin, ports = [] } = message
    const source = 'source' in message ? message.source : parent
    target.dispatchEvent(Object.assign(new Event('message'), { data, origin, source, ports }))
  }

  function storageEvent(key: string | null): void {
    target.dispatchEvent(Object.assign(new Event('storage'), { key }))
  }

  return { window, parent, posted, receive, storageEvent, listenerCount: () => listeners.size }
}
