import type { UniversalProviderOpts } from '@walletconnect/universal-provider'
import * as z from 'zod/mini'
import type { HostStorage } from '../../../services/storage'

export type KeyValueStorage = NonNullable<UniversalProviderOpts['storage']>

const prefix = 'wc/'

/** Fields that the library reads without checks, by the last part of the storage key. */
const entries: ReadonlyMap<string, z.ZodMiniType> = new Map<string, z.ZodMiniType>([
  [
    'session',
    z.object({
      topic: z.string(),
      expiry: z.number(),
      namespaces: z.record(z.string(), z.unknown()),
      self: z.record(z.string(), z.unknown()),
      peer: z.object({ metadata: z.record(z.string(), z.unknown()) }),
    }),
  ],
  ['pairing', z.object({ topic: z.string(), expiry: z.number() })],
  ['history', z.object({ id: z.number(), topic: z.string(), request: z.object({ method: z.string() }) })],
  ['expirer', z.object({ target: z.string(), expiry: z.number() })],
  ['subscription', z.object({ id: z.string(), topic: z.string() })],
  ['proposal', z.object({ id: z.number() })],
  ['request', z.object({ id: z.number(), topic: z.string() })],
])

/**
 * The library's storage on top of the host's.
 *
 * 1. Keys are `wc/` plus the library's key, encoded; values are JSON in the library's dialect (`123n` is a bigint).
 * 2. Nothing throws: a denied or full storage keeps the value for this visit. A malformed value, or a list entry that
 *    the library would fail to read, counts as absent.
 * 3. Two tabs write the same lists from memory: entries that this instance never saw belong to another tab, and stay.
 */
export function walletConnectStorage(storage: HostStorage): KeyValueStorage {
  const seenIds = new Map<string, Set<string>>()
  const names = new Set<string>()

  function read(key: string) {
    names.add(key)
    return readStored(storage, key)
  }

  function note(key: string, value: unknown): void {
    const ids = seenIds.get(key) ?? new Set()
    for (const id of idsOf(value)) ids.add(id)
    seenIds.set(key, ids)
  }

  return {
    async getKeys() {
      return [...names].filter((key) => read(key) !== undefined)
    },
    async getEntries() {
      return [...names].flatMap((key) => {
        const value = read(key)
        return value === undefined ? [] : [[key, value]]
      })
    },
    async getItem(key) {
      const value = read(key)
      note(key, value)
      return value
    },
    async setItem(key, value) {
      names.add(key)
      const merged = withForeign(value, readStored(storage, key), seenIds.get(key) ?? new Set())
      note(key, value)
      storage.set(nameOf(key), write(merged))
    },
    async removeItem(key) {
      names.delete(key)
      seenIds.delete(key)
      storage.set(nameOf(key), null)
    },
  }
}

/** Rule 2. */
export function readStored(storage: HostStorage, key: string) {
  const value = parse(storage.get(nameOf(key)))
  const schema = entries.get(key.slice(key.lastIndexOf('/') + 1))
  if (schema === undefined || value === undefined) return value
  return Array.isArray(value) ? value.filter((entry: unknown) => schema.safeParse(entry).success) : undefined
}

function nameOf(key: string): string {
  return prefix + encodeURIComponent(key)
}

function parse(text: string | null) {
  if (text === null) return undefined
  try {
    return JSON.parse(text, (_, value) =>
      typeof value === 'string' && /^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
    )
  } catch {
    return undefined
  }
}

function write(value: unknown): string | null {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? null
}

/** Rule 3. */
function withForeign(value: unknown, stored: unknown, seenIds: ReadonlySet<string>): unknown {
  if (Array.isArray(value) && Array.isArray(stored)) {
    const ownIds = new Set(idsOf(value))
    const isForeign = (entry: unknown) => {
      const id = idOf(entry)
      return id !== undefined && !ownIds.has(id) && !seenIds.has(id)
    }
    return [...value, ...stored.filter(isForeign)]
  }
  if (isRecord(value) && isRecord(stored)) {
    const foreign = Object.entries(stored).filter(([id]) => !Object.hasOwn(value, id) && !seenIds.has(id))
    return { ...value, ...Object.fromEntries(foreign) }
  }
  return value
}

function idsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => idOf(entry) ?? [])
  return isRecord(value) ? Object.keys(value) : []
}

/** Sessions and pairings have a `topic`, expirations a `target`, proposals and requests an `id`. */
function idOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined
  const id =
    entry.topic !== undefined && entry.id !== undefined
      ? `${entry.topic} ${entry.id}`
      : (entry.topic ?? entry.target ?? entry.id)
  return id === undefined ? undefined : String(id)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
