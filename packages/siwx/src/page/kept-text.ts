import { createListeners } from './listeners'

/** A text in the browser's storage, or in memory alone where there is none. */
export type KeptText = {
  read(): string | null
  /** @param text null removes it */
  write(text: string | null): void
  /** Calls when this page or another tab wrote. Returns the unsubscribe. */
  subscribe(listener: () => void): () => void
}

/** The part of `window` that is needed. */
export type StorageWindow = Pick<Window, 'localStorage' | 'addEventListener' | 'removeEventListener'> & {
  readonly navigator?: { readonly locks?: Locks }
}

/** Web Locks, which pages of insecure origins lack. `signal` ends the wait. */
export type Locks = {
  request(name: string, options: { readonly signal: AbortSignal }, work: () => Promise<unknown>): Promise<unknown>
}

/** `localStorage` of this page; on a server, or where the visitor denies storage, null and the text lives as long as the page. */
export function keepText(key: string, page: StorageWindow | null): KeptText {
  const listeners = createListeners()
  let memory: string | null = null
  let stored = storageOf(page)

  function onStorage(event: StorageEvent): void {
    // `clear()` has no key.
    if (event.key === key || event.key === null) listeners.call()
  }

  return {
    read() {
      try {
        return stored === null ? memory : stored.getItem(key)
      } catch {
        stored = null
        return memory
      }
    },
    write(text) {
      memory = text
      try {
        if (text === null) stored?.removeItem(key)
        else stored?.setItem(key, text)
      } catch {
        // Full or denied since: from here on the page's memory is what counts.
        stored = null
      }
      listeners.call()
    },
    subscribe(listener) {
      if (listeners.size() === 0) page?.addEventListener('storage', onStorage)
      const remove = listeners.add(listener)
      return () => {
        remove()
        if (listeners.size() === 0) page?.removeEventListener('storage', onStorage)
      }
    },
  }
}

function storageOf(page: StorageWindow | null): Storage | null {
  try {
    return page?.localStorage ?? null
  } catch {
    return null
  }
}

export const thisPage = (): StorageWindow | null => (typeof window === 'undefined' ? null : window)
