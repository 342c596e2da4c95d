export type TextStore = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
  keys(): readonly string[]
}

/** The interface that WalletConnect's library requires. */
export type KeyValueStorage = {
  getKeys(): Promise<string[]>
  getEntries<T>(): Promise<[string, T][]>
  getItem<T>(key: string): Promise<T | undefined>
  setItem<T>(key: string, value: T): Promise<void>
  removeItem(key: string): Promise<void>
}

/** For tests. */
export function memoryStore(): TextStore {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    keys: () => [...values.keys()],
  }
}

export function pageStore(storage: Storage): TextStore {
  return {
    getItem: (key) => storage.getItem(key),
    setItem: (key, value) => storage.setItem(key, value),
    removeItem: (key) => storage.removeItem(key),
    keys: () => Object.keys(storage),
  }
}

/**
 * Stores JSON under `wc/…`.
 * The library allows one core per process and `customStoragePrefix`, so each wallet needs its own prefix; stored keys
 * omit it, so that a later wallet finds them.
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
