import { createListeners } from './listeners'

export type StoredText = {
  read(): string | null
  /** @param text null removes it */
  write(text: string | null): void
  subscribe(listener: () => void): () => void
}

export type StorageWindow = Pick<Window, 'localStorage' | 'addEventListener' | 'removeEventListener'> & {
  readonly navigator?: { readonly locks?: Locks }
}

/** Missing on insecure origins. `signal` aborts the wait. */
export type Locks = {
  request(name: string, options: { readonly signal: AbortSignal }, work: () => Promise<unknown>): Promise<unknown>
}

/** Without storage, the text lasts as long as the page. */
export function storeText(key: string, page: StorageWindow | null): StoredText {
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
        // Full or denied.
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
