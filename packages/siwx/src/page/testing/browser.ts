import type { Locks, StorageWindow } from '../stored-text'

type Listener = Parameters<StorageWindow['addEventListener']>[1]

/** Tabs share storage and hear each other's writes. */
export function browser() {
  const items = new Map<string, string>()
  const tabs: { readonly heard: EventTarget }[] = []
  let isFull = false
  const locks = createLocks()

  function tab(): StorageWindow & { listening(): number } {
    const heard = new EventTarget()
    const self = { heard }
    tabs.push(self)
    const listening = new Set<Listener>()
    const tell = (key: string | null) => {
      for (const other of tabs)
        if (other !== self) other.heard.dispatchEvent(Object.assign(new Event('storage'), { key }))
    }
    const localStorage: Storage = {
      get length() {
        return items.size
      },
      key: (index) => [...items.keys()][index] ?? null,
      getItem: (key) => items.get(key) ?? null,
      setItem(key, value) {
        if (isFull) throw new DOMException('Full', 'QuotaExceededError')
        items.set(key, value)
        tell(key)
      },
      removeItem(key) {
        items.delete(key)
        tell(key)
      },
      clear() {
        items.clear()
        tell(null)
      },
    }
    return {
      localStorage,
      navigator: { locks },
      addEventListener: (type: string, listener: Listener) => {
        listening.add(listener)
        heard.addEventListener(type, listener)
      },
      removeEventListener: (type: string, listener: Listener) => {
        listening.delete(listener)
        heard.removeEventListener(type, listener)
      },
      listening: () => listening.size,
    }
  }
  const fill = () => {
    isFull = true
  }
  return { items, tab, fill, locks }
}

/** `navigator.locks`, as far as needed. */
function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>()
  return {
    async request(name, { signal }, work) {
      const before = last.get(name)
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      last.set(name, Promise.all([before, released]))
      const tooLate = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      try {
        await Promise.race([before, tooLate])
        await work()
      } finally {
        release()
      }
    },
  }
}

/** Accessing storage throws. */
export const pageWithoutStorage: StorageWindow = {
  get localStorage(): Storage {
    throw new DOMException('Denied', 'SecurityError')
  },
  addEventListener() {},
  removeEventListener() {},
}
