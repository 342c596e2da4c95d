import { followAbort } from '@postern/base/abort'
import type { CaipNetworkId, Connection, Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Connector, ConnectorEvent, KeptEvents, WalletSession } from '../../connectors/connector'
import { initialSession, putFirst, reduceSession, type SessionEvent, type SessionState } from './machine'
import { type ChosenAccount, isRemote, storeConnection, storeSession, summaryOf } from './session-record'
import type { SessionStore, StoredSession } from './stored'

/** `visitor`: the user's action here; `together`: its effect on another namespace. */
export type Cause = 'visitor' | 'together' | 'wallet' | 'sync'

export type Attempt = { readonly attempt: number; readonly signal: AbortSignal }

export type NamespaceSession = {
  readonly state: SessionState
  /** Belongs to the connected wallet, or to the one being restored. */
  readonly connector: Connector | null
  dispatch(event: SessionEvent, cause: Cause): void
  begin(outer?: AbortSignal): Attempt
  /**
   * `events`: a remote wallet's events since before it was asked. Throws ABORTED, and drops them, if another attempt
   * has begun.
   */
  succeed(connector: Connector, attempt: number, granted: WalletSession, cause: Cause, events: KeptEvents | null): void
  choose(address: string): void
  /** Adopts another tab's choice, for the same wallet. */
  follow(stored: StoredSession): void
  abort(): void
  end(): void
}

/**
 * One namespace's session: runs `machine.ts` with its wallet and its stored record.
 *
 * 1. The account that the user put first stays first after a reload, while the wallet's own first account is the same.
 *    When the wallet announces accounts, their order is the wallet's. Other tabs follow the choice.
 */
export function createNamespaceSession(options: {
  readonly namespace: Namespace
  readonly store: SessionStore
  readonly isConfigured: (id: CaipNetworkId) => boolean
  readonly onChange: (namespace: Namespace, connection: Connection, cause: Cause) => void
  readonly onStored: () => void
  readonly onLost: (connector: Connector) => void
}): NamespaceSession {
  const { namespace, store, isConfigured } = options
  let state = initialSession
  let connector: Connector | null = null
  let unlisten = () => {}
  let controller: AbortController | null = null
  let attempts = 0
  let isEnded = false
  let chosen: ChosenAccount | null = null

  function dispatch(event: SessionEvent, cause: Cause): void {
    const before = state
    state = reduceSession(before, event, isConfigured)
    if (state === before || isEnded) return
    const { connection, attempt } = state
    if (attempt === null) abort()
    if (connection === before.connection) return
    const own = connector
    if (connection.status === 'disconnected') release()
    // Storage first, so that a reload restores it; then the page; then other tabs, which read the storage.
    const isNews = cause !== 'sync' && storeConnection(store, namespace, connection, own, chosen)
    options.onChange(namespace, connection, cause)
    if (isNews) options.onStored()
  }

  function release(): void {
    unlisten()
    unlisten = () => {}
    connector = null
    chosen = null
  }

  function abort(reason: Failure = new Failure('ABORTED')): void {
    controller?.abort(reason)
  }

  const onEvent = (from: Connector) => (event: ConnectorEvent) => {
    if (connector !== from) return
    if (event.kind === 'accounts') {
      chosen = null
      dispatch({ type: 'accounts', accounts: event.accounts }, 'wallet')
    } else if (event.kind === 'network') dispatch({ type: 'network', networkId: event.networkId }, 'wallet')
    else options.onLost(from)
  }

  return {
    get state() {
      return state
    },
    get connector() {
      return connector
    },
    dispatch,
    begin(outer) {
      abort()
      controller = new AbortController()
      attempts += 1
      return { attempt: attempts, signal: followAbort(controller, outer) }
    },
    succeed(next, attempt, granted, cause, events) {
      if (state.attempt !== attempt) {
        events?.drop()
        throw new Failure('ABORTED')
      }
      const replaced = connector
      release()
      if (replaced !== null && isRemote(replaced) && replaced.stableId !== next.stableId) disconnectQuietly(replaced)
      controller = null
      connector = next
      const stored = store.session(namespace)
      const [own] = granted.accounts
      if (stored?.stableId === next.stableId && stored.chosen?.over === own.address) chosen = stored.chosen
      const accounts = chosen === null ? granted.accounts : putFirst(granted.accounts, chosen.address)
      // Listens before the connection is reported. Kept events come after it: they change a connected session.
      unlisten = events === null ? next.listen(onEvent(next)) : events.drop
      dispatch({ type: 'succeed', attempt, known: { connector: summaryOf(next), ...granted, accounts } }, cause)
      if (cause === 'sync') storeSession(store, next, { ...granted, accounts }, chosen)
      events?.deliver(onEvent(next))
    },
    choose(address) {
      const { connection } = state
      if (connection.status !== 'connected') return
      const over = chosen?.over ?? connection.accounts[0]?.address
      if (over === undefined || !connection.accounts.some((account) => account.address === address)) return
      chosen = address === over ? null : { address, over }
      dispatch({ type: 'choose', address }, 'visitor')
    },
    follow(stored) {
      if (stored.chosen === undefined && chosen === null) return
      chosen = stored.chosen ?? null
      const [first] = stored.accounts
      if (first !== undefined) dispatch({ type: 'choose', address: first.address }, 'sync')
    },
    abort,
    end() {
      isEnded = true
      abort(new Failure('LINK_CLOSED'))
      release()
    },
  }
}

/** Ignores failures: an unreachable wallet lets its session expire. */
function disconnectQuietly(connector: Connector): void {
  connector.disconnect().catch(() => {})
}
