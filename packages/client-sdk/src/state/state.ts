import { namespaces } from '@postern/protocol/namespaces'
import { callAll } from '../shared/call-all'
import { isObject } from '../shared/is-object'
import type { Account, Connection, Connections, Namespace, Snapshot, WalletInfos } from '../types/index'
import type { HostState } from './guards'

/** Without access, nothing is stored and nothing throws. */
export type PageStorage = {
  read(key: string): string | null
  /** `null` deletes. */
  write(key: string, value: string | null): void
  under(prefix: string): Record<string, string>
}

/** `storage` may throw, so it is called on each use. */
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

/** The state on a server, and before the first visit. */
export const emptySnapshot: Snapshot = Object.freeze({
  phase: 'idle',
  open: false,
  themeMode: 'light',
  networks: Object.freeze([]),
  activeNetworkId: null,
  connections: Object.freeze({}),
  walletInfo: Object.freeze({}),
})

export type State = {
  get(): Snapshot
  set(change: Partial<Snapshot>): void
  /** False if `value` is older. */
  take(value: HostState): boolean
  /** A new host numbers its states from the start. */
  restart(): void
  reload(): void
  /** No host can confirm stored connections: they become `reconnecting`. A new connection ends. */
  suspend(): void
  subscribe(listener: () => void): () => void
  stop(): void
}

/**
 * The page's replica of the host's state, stored between visits.
 *
 * 1. The snapshot is immutable, and the same object until something changes.
 * 2. A state older than the last one of the same host is ignored.
 * 3. A stored `connected` shows as `connecting`, with its account, until the host confirms it; as `reconnecting` if the
 *    frame fails.
 * 4. Invalid stored data is discarded. Storage that throws changes nothing.
 * 5. `walletInfo` has only wallets in use, whichever of state and information comes first.
 * 6. A listener that throws does not stop the others.
 */
export function createState(storage: PageStorage, key: string): State {
  const listeners = new Set<() => void>()
  let snapshot: Snapshot = { ...emptySnapshot, ...restore() }
  let seq = -1
  let storedText = ''
  let infos: Snapshot['walletInfo'] = {}

  function restore(): Partial<Snapshot> {
    try {
      const stored: unknown = JSON.parse(storage.read(key) ?? 'null')
      if (isStored(stored)) return { ...stored, connections: mapConnections(stored.connections, storedConnection) }
    } catch {
      // Invalid.
    }
    storage.write(key, null)
    return {}
  }

  function set(change: Partial<Snapshot>): void {
    infos = change.walletInfo ?? infos
    const changed = { ...snapshot, ...change }
    const next = { ...changed, walletInfo: infosOf(changed.connections, infos) }
    if (JSON.stringify(next) === JSON.stringify(snapshot)) return
    snapshot = Object.freeze(next)
    callAll(listeners, undefined)
  }

  return {
    get: () => snapshot,
    set,
    take({ seq: next, open: _, ...known }) {
      if (next <= seq) return false
      seq = next
      const text = JSON.stringify(known)
      if (text !== storedText) storage.write(key, text)
      storedText = text
      set(known)
      return true
    },
    restart() {
      seq = -1
    },
    reload() {
      set({ connections: {}, ...restore() })
    },
    suspend() {
      set({
        connections: mapConnections(snapshot.connections, (connection) => {
          if (connection.status === 'connected') return connection
          return isRestoring(connection) ? { ...connection, status: 'reconnecting' } : { status: 'disconnected' }
        }),
      })
    },
    subscribe(listener) {
      // A new function: a listener added twice is removed once at a time.
      const own = () => listener()
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
    stop() {
      // Lets waiting listeners end.
      callAll(listeners, undefined)
      listeners.clear()
    },
  }
}

function mapConnections(
  connections: Readonly<Connections>,
  change: (connection: Connection) => Connection,
): Connections {
  return pick((namespace) => connections[namespace] && change(connections[namespace]))
}

function infosOf(connections: Readonly<Connections>, infos: Snapshot['walletInfo']): WalletInfos {
  return pick((namespace) => isInUse(connections[namespace]) && infos[namespace])
}

function pick<T>(valueFor: (namespace: Namespace) => T | false | undefined): { [N in Namespace]?: T } {
  return Object.assign(
    {},
    ...namespaces.map((namespace) => {
      const value = valueFor(namespace)
      return value && { [namespace]: value }
    }),
  )
}

const isInUse = (connection: Connection | undefined): boolean =>
  connection !== undefined && connection.status !== 'disconnected'

/** Drops page wallet ids, which do not survive their page. */
function storedConnection(connection: Connection): Connection {
  if (connection.status === 'disconnected' || connection.connector === undefined) return { status: 'disconnected' }
  const { pageWallet: _, ...connector } = connection.connector
  const { accounts, networkId } = connection
  return accounts === undefined ? { status: 'disconnected' } : { status: 'connecting', connector, accounts, networkId }
}

export function isRestoring(connection: Connection | undefined): boolean {
  return (
    (connection?.status === 'connecting' || connection?.status === 'reconnecting') && connection.accounts !== undefined
  )
}

export const hasRestoring = ({ connections }: Snapshot): boolean => Object.values(connections).some(isRestoring)

/** For the first time; afterwards it is `reconnecting`. */
export function isBeingAsked(connection: Connection | undefined): boolean {
  return isRestoring(connection) && connection?.status === 'connecting'
}

export function shownAccounts<N extends Namespace>(connection: Connection<N> | undefined): readonly Account<N>[] {
  return connection === undefined || connection.status === 'disconnected' ? [] : (connection.accounts ?? [])
}

type Stored = Pick<Snapshot, 'themeMode' | 'networks' | 'activeNetworkId' | 'connections'>

/** Detects corruption and other versions; otherwise the dapp's storage is trusted. */
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

function isListOf(value: unknown, keys: readonly string[]): boolean {
  return (
    Array.isArray(value) &&
    value.every((each) => isObject(each) && keys.every((key) => each[key] && typeof each[key] === 'string'))
  )
}
