import type { HostState } from '@postern/protocol'
import type { Connection, Connections, Snapshot } from './types'

/** Page storage under one key prefix. Every access may be denied; then nothing is kept, and that is all. */
export type PageStorage = {
  read(key: string): string | null
  /** `null` forgets the key. */
  write(key: string, value: string | null): void
  /** Keys and values under a prefix, without it. */
  under(prefix: string): Record<string, string>
}

/** `storage` is asked for on each use: the getter itself throws where storage is denied. */
export function createPageStorage(storage: () => Storage): PageStorage {
  const attempt = <T>(use: (storage: Storage) => T, otherwise: T): T => {
    try {
      return use(storage())
    } catch {
      return otherwise
    }
  }
  return {
    read: (key) => attempt((at) => at.getItem(key), null),
    write: (key, value) => attempt((at) => (value === null ? at.removeItem(key) : at.setItem(key, value)), undefined),
    under: (prefix) =>
      attempt((at) => {
        const found: Record<string, string> = {}
        for (let index = 0; index < at.length; index++) {
          const key = at.key(index)
          if (key?.startsWith(prefix) === true) found[key.slice(prefix.length)] = at.getItem(key) ?? ''
        }
        return found
      }, {}),
  }
}

/** What a server renders, and what a page shows before anything is known. */
export const emptySnapshot: Snapshot = Object.freeze({
  phase: 'idle',
  open: false,
  themeMode: 'light',
  networks: Object.freeze([]),
  activeNetworkId: null,
  connections: Object.freeze({}),
})

export type State = {
  get(): Snapshot
  /** Changes what the page itself knows. */
  set(change: Partial<Snapshot>): void
  /** Takes the host's truth in. What is older than what is known is ignored: then `false`. */
  take(value: HostState): boolean
  /** The next truth comes from a new host, which counts from the start. */
  restart(): void
  /** Looks at what is stored again: another tab changed it. */
  reload(): void
  /** Nobody answers for the connections: what was only remembered ends as disconnected. */
  forget(): void
  subscribe(listener: () => void): () => void
  stop(): void
}

const names = ['eip155', 'solana', 'bip122'] as const

/**
 * The page's replica of the host's state, and what is remembered of it between visits.
 *
 * 1. The snapshot is immutable, and the same object until something changes.
 * 2. A state older than the last of the same host is ignored, whatever order messages come in.
 * 3. A stored `connected` shows as `connecting`, with who was connected, until the host confirms it or the frame fails.
 * 4. Stored data that is not what we wrote is discarded. Storage that throws changes nothing.
 * 5. A listener that throws does not keep the others from being told.
 */
export function createState(storage: PageStorage, key: string): State {
  const listeners = new Set<() => void>()
  let snapshot: Snapshot = { ...emptySnapshot, ...restore() }
  let seq = -1
  let written = ''

  function restore(): Partial<Snapshot> {
    try {
      const stored: unknown = JSON.parse(storage.read(key) ?? 'null')
      if (isStored(stored)) return { ...stored, connections: mapConnections(stored.connections, remembered) }
    } catch {
      // What cannot be read is not what we wrote.
    }
    storage.write(key, null)
    return {}
  }

  function set(change: Partial<Snapshot>): void {
    const next = { ...snapshot, ...change }
    if (JSON.stringify(next) === JSON.stringify(snapshot)) return
    snapshot = Object.freeze(next)
    tell()
  }

  function tell(): void {
    for (const listener of [...listeners]) {
      try {
        listener()
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  return {
    get: () => snapshot,
    set,
    take(value) {
      if (value.seq <= seq) return false
      seq = value.seq
      const { themeMode, networks, activeNetworkId, connections } = value
      const known = { themeMode, networks, activeNetworkId, connections }
      const text = JSON.stringify(known)
      if (text !== written) storage.write(key, text)
      written = text
      set(known)
      return true
    },
    restart() {
      seq = -1
    },
    reload() {
      set({ connections: {}, ...restore() })
    },
    forget() {
      set({
        connections: mapConnections(snapshot.connections, (connection) =>
          connection.status === 'connected' ? connection : { status: 'disconnected' },
        ),
      })
    },
    subscribe(listener) {
      // A function of its own, so that one listener added twice is told twice and ended once each.
      const own = () => listener()
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
    stop() {
      // Whoever waits for a change learns that none will come.
      tell()
      listeners.clear()
    },
  }
}

function mapConnections(
  connections: Readonly<Connections>,
  change: (connection: Connection) => Connection,
): Connections {
  const changed: Connections = {}
  for (const name of names) {
    const connection = connections[name]
    if (connection !== undefined) changed[name] = change(connection)
  }
  return changed
}

/** Ids of page wallets die with their page, so they are not remembered. */
function remembered(connection: Connection): Connection {
  if (connection.status === 'disconnected' || connection.connector === undefined) return { status: 'disconnected' }
  const { pageWallet: _, ...connector } = connection.connector
  const { accounts, networkId } = connection
  return accounts === undefined ? { status: 'disconnected' } : { status: 'connecting', connector, accounts, networkId }
}

/** Whether a connection of an earlier visit waits for its confirmation. */
export function isRestoring(connection: Connection | undefined): boolean {
  return (
    (connection?.status === 'connecting' || connection?.status === 'reconnecting') && connection.accounts !== undefined
  )
}

type Stored = Pick<Snapshot, 'themeMode' | 'networks' | 'activeNetworkId' | 'connections'>

/**
 * Whether this is what `take` wrote. It was held to the host's schema then, and the dapp's own storage is as trusted as its page: what is
 * looked for here is damage and other versions, in all that a page shows before the host answers.
 */
function isStored(value: unknown): value is Stored {
  if (!isObject(value)) return false
  const { themeMode, networks, activeNetworkId: id, connections } = value
  return (
    (themeMode === 'light' || themeMode === 'dark') &&
    isListOf(networks, ['caipNetworkId', 'chainNamespace', 'name']) &&
    (id === null || typeof id === 'string') &&
    isObject(connections) &&
    Object.values(connections).every(
      (each) =>
        isObject(each) &&
        isListOf([each], ['status']) &&
        (each.accounts === undefined || isListOf(each.accounts, ['address', 'namespace', 'type'])) &&
        (each.connector === undefined || isListOf([each.connector], ['id', 'name', 'type'])),
    )
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** A list of objects in which these keys are strings that are not empty. */
function isListOf(value: unknown, keys: readonly string[]): boolean {
  return (
    Array.isArray(value) &&
    value.every((each) => isObject(each) && keys.every((key) => each[key] && typeof each[key] === 'string'))
  )
}
