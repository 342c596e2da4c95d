/** An update is atomic, also across tabs. */
export type Rows = {
  get(key: string): Promise<unknown>
  /** `undefined` deletes. Resolves with the new value. */
  update(key: string, change: (value: unknown) => unknown): Promise<unknown>
}

export function memoryRows(): Rows {
  const values = new Map<string, unknown>()
  return {
    get: async (key) => values.get(key),
    async update(key, change) {
      const next = change(values.get(key))
      if (next === undefined) values.delete(key)
      else values.set(key, next)
      return next
    },
  }
}

const table = 'rows'

/**
 * Values in IndexedDB, which can store non-extractable keys.
 *
 * 1. Opening, reading and writing reject if the browser denies them; nothing waits for a tab with an older version.
 * 2. A closed connection is reopened on the next use.
 */
export function indexedDbRows(factory: IDBFactory, name: string): Rows {
  let opened: Promise<IDBDatabase> | null = null

  function open(): Promise<IDBDatabase> {
    if (opened !== null) return opened
    const forget = () => {
      opened = null
    }
    const opening = new Promise<IDBDatabase>((resolve, reject) => {
      const request = factory.open(name, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(table)
      request.onblocked = () => reject(new Error('blocked'))
      request.onerror = () => reject(request.error)
      request.onsuccess = () => {
        const database = request.result
        database.onclose = forget
        database.onversionchange = () => {
          database.close()
          forget()
        }
        resolve(database)
      }
    })
    opened = opening
    opening.catch(forget)
    return opening
  }

  async function run<T>(
    mode: IDBTransactionMode,
    start: (store: IDBObjectStore, done: (value: T) => void) => void,
  ): Promise<T> {
    const database = await open()
    return new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(table, mode)
      let result: { readonly value: T } | null = null
      transaction.oncomplete = () => (result === null ? reject(new Error('no result')) : resolve(result.value))
      transaction.onabort = () => reject(transaction.error ?? new Error('aborted'))
      start(transaction.objectStore(table), (value) => {
        result = { value }
      })
    })
  }

  return {
    get: (key) =>
      run<unknown>('readonly', (store, done) => {
        const request = store.get(key)
        request.onsuccess = () => done(request.result)
      }),
    update: (key, change) =>
      run<unknown>('readwrite', (store, done) => {
        const request = store.get(key)
        request.onsuccess = () => {
          const next = change(request.result)
          if (next === undefined) store.delete(key)
          else store.put(next, key)
          done(next)
        }
      }),
  }
}

/** Writes and reads back, including a non-extractable key, which some private windows refuse. */
export async function canKeep(rows: Rows, crypto: Pick<Crypto, 'subtle'>): Promise<boolean> {
  try {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    await rows.update('probe', () => key)
    const kept = await rows.get('probe')
    await rows.update('probe', () => undefined)
    return kept instanceof CryptoKey
  } catch {
    return false
  }
}
