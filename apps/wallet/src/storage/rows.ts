/** Named values that survive or do not. A change of one is atomic, over tabs too. */
export type Rows = {
  get(key: string): Promise<unknown>
  /** Reads and writes in one step; `undefined` deletes. Answers with what is there afterwards. */
  update(key: string, change: (value: unknown) => unknown): Promise<unknown>
}

/** Values for as long as the page lives. */
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
 * Values in IndexedDB, which keeps keys that cannot be exported as they are.
 *
 * 1. Opening, reading and writing reject where the browser denies them; nothing hangs on a tab that holds an older version.
 * 2. A connection that the browser closed is opened anew by the next use.
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

/**
 * Whether values can be kept there: written and read back, a key that cannot be exported among them, which some private windows refuse.
 */
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
