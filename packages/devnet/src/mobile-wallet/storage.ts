/** What WalletConnect's library and the wallet itself keep, over any store of strings. */

export type TextStore = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
  keys(): readonly string[]
}

/** What WalletConnect's library wants of a storage. */
export type KeyValueStorage = {
  getKeys(): Promise<string[]>
  getEntries<T>(): Promise<[string, T][]>
  getItem<T>(key: string): Promise<T | undefined>
  setItem<T>(key: string, value: T): Promise<void>
  removeItem(key: string): Promise<void>
}

/** In memory, for tests: as long as the object lives. */
export function memoryStore(): TextStore {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    keys: () => [...values.keys()],
  }
}

/** A browser's storage. */
export function pageStore(storage: Storage): TextStore {
  return {
    getItem: (key) => storage.getItem(key),
    setItem: (key, value) => storage.setItem(key, value),
    removeItem: (key) => storage.removeItem(key),
    keys: () => Object.keys(storage),
  }
}

/**
 * JSON under `wc/…`. The library keeps one core a process for each `customStoragePrefix`, so every wallet that runs needs another one;
 * what it stores is kept without that prefix, so that the wallet finds it again.
 */
export function keyValueStorage(store: TextStore, customStoragePrefix: string): KeyValueStorage {
  const ours = (key: string) => `wc/${key.replace(customStoragePrefix, '*')}`
  const theirs = (key: string) => key.slice('wc/'.length).replace('*', customStoragePrefix)
  const read = (key: string) => {
    const text = store.getItem(key)
    return text === null ? undefined : JSON.parse(text)
  }
  const keys = () => store.keys().filter((key) => key.startsWith('wc/'))
  return {
    getKeys: async () => keys().map(theirs),
    getEntries: async () => keys().map((key) => [theirs(key), read(key)]),
    getItem: async (key) => read(ours(key)),
    setItem: async (key, value) => store.setItem(ours(key), JSON.stringify(value)),
    removeItem: async (key) => store.removeItem(ours(key)),
  }
}
