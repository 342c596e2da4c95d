import { type IDBPDatabase, wrap } from 'idb'

/** An update is atomic across tabs. */
export type Rows = {
  get(key: string): Promise<unknown>
  /** `undefined` deletes. */
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
 * Values in IndexedDB, which can store non-extractable keys. Rejects if the browser denies it; nothing waits for a tab
 * with an older version. A closed connection is reopened on the next use.
 */
export function indexedDbRows(factory: IDBFactory, name: string): Rows {
  let opened: Promise<IDBPDatabase> | null = null

  function open(): Promise<IDBPDatabase> {
    if (opened !== null) return opened
    const forget = () => {
      opened = null
    }
    const opening = openDatabase(factory, name, forget)
    opened = opening
    opening.catch(forget)
    return opening
  }

  return {
    async get(key) {
      const transaction = (await open()).transaction(table)
      const [value]: readonly unknown[] = await Promise.all([transaction.store.get(key), transaction.done])
      return value
    },
    async update(key, change) {
      const transaction = (await open()).transaction(table, 'readwrite')
      const { store } = transaction
      const write = async () => {
        const next = change(await store.get(key))
        await (next === undefined ? store.delete(key) : store.put(next, key))
        return next
      }
      const [next] = await Promise.all([write(), transaction.done])
      return next
    },
  }
}

/** Not idb's `openDB`, which knows only the global factory, not that of granted storage. */
async function openDatabase(factory: IDBFactory, name: string, onClosed: () => void): Promise<IDBPDatabase> {
  const request = factory.open(name, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(table)
  request.onsuccess = () => {
    const database = request.result
    database.onclose = onClosed
    database.onversionchange = () => {
      database.close()
      onClosed()
    }
  }
  const blocked = new Promise<never>((_, reject) => {
    request.onblocked = () => reject(new Error('blocked'))
  })
  const database = await Promise.race([wrap(request), blocked])
  if (database === undefined) throw new Error('no database')
  return database
}

/**
 * Whether storage works with a non-extractable key, which some private windows refuse. Rejects with any error but a
 * denial: a retry may succeed.
 */
export async function canKeep(rows: Rows, crypto: Pick<Crypto, 'subtle'>): Promise<boolean> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  try {
    await rows.update('probe', () => key)
    const kept = await rows.get('probe')
    await rows.update('probe', () => undefined)
    return kept instanceof CryptoKey
  } catch (error) {
    if (isDenial(error)) return false
    throw error
  }
}

const denials: ReadonlySet<string> = new Set([
  'SecurityError',
  'NotAllowedError',
  'InvalidStateError',
  'DataCloneError',
])

/** TypeError: there is no factory. */
export function isDenial(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && denials.has(error.name))
}
