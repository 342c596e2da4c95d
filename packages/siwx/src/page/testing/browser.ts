import type { StorageWindow } from '../kept-text'

type Listener = Parameters<StorageWindow['addEventListener']>[1]

/** Tabs of one origin: they share a storage, and each hears of what another wrote. */
export function browser() {
  const items = new Map<string, string>()
  const tabs: { readonly heard: EventTarget }[] = []
  let isFull = false

  function tab(): StorageWindow & { listening(): number } {
    const heard = new EventTarget()
    const mine = { heard }
    tabs.push(mine)
    const listening = new Set<Listener>()
    const tell = (key: string | null) => {
      for (const other of tabs)
        if (other !== mine) other.heard.dispatchEvent(Object.assign(new Event('storage'), { key }))
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
  return { items, tab, fill }
}

/** A page whose visitor denies storage: the mere look at it throws. */
export const pageWithoutStorage: StorageWindow = {
  get localStorage(): Storage {
    throw new DOMException('Denied', 'SecurityError')
  },
  addEventListener() {},
  removeEventListener() {},
}
