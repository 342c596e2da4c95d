import {
  type CaipNetworkId,
  type Connection,
  type ConnectorSummary,
  type Namespace,
  type Network,
  namespaces,
  type PageWallet,
} from '@postern/protocol'
import { followAbort } from '@postern/protocol/abort'
import { Failure } from '@postern/protocol/failure'
import type {
  Connector,
  ConnectorEvent,
  GrantedConnector,
  MultiConnector,
  WalletSession,
} from '../connectors/connector'
import type { PageWallets } from '../connectors/page-wallets'
import { initialSession, type Known, reduceSession, type SessionEvent, type SessionState } from './machine'
import type { SessionStore, StoredSession } from './stored'

/** Max wait for a wallet's announcement, in ms: extensions inject late on slow machines. */
export const announcementWait = 3_000

export type Sessions = {
  connection(namespace: Namespace): Connection
  connector(namespace: Namespace): Connector | null
  connect(
    connector: Connector,
    options: { readonly signal: AbortSignal; readonly ask: (signal: AbortSignal) => Promise<WalletSession> },
  ): Promise<void>
  /** The first is the user's current namespace. */
  adopt(granted: readonly GrantedConnector[]): void
  /** Restores stored sessions, and drops those that another tab ended. */
  sync(): void
  disconnect(namespace: Namespace): Promise<void>
  /** Rejects if none is connected. */
  switchNetwork(network: Network, signal: AbortSignal): Promise<void>
  end(): void
}

export type SessionsOptions = {
  readonly store: SessionStore
  readonly pageWallets: PageWallets
  readonly connectorOf: (wallet: PageWallet) => Connector | undefined
  /** Wallets outside the page. Rejects if not offered or not loaded. */
  readonly multi: () => Promise<Pick<MultiConnector, 'restore'>>
  /** Of the embedded wallet. */
  readonly embedded: () => Promise<Pick<MultiConnector, 'restore'>>
  readonly isConfigured: (id: CaipNetworkId) => boolean
  readonly onChange: (namespace: Namespace, connection: Connection, cause: Cause) => void
  readonly onStored: () => void
}

/** `visitor`: the user's action here; `together`: its effect on another namespace. */
export type Cause = 'visitor' | 'together' | 'wallet' | 'sync'

type Slot = {
  state: SessionState
  connector: Connector | null
  unlisten: () => void
  controller: AbortController | null
}

/**
 * The sessions of all namespaces: runs the state machine of `machine.ts` against wallets and storage.
 *
 * 1. One attempt per namespace: a later one aborts an earlier one, whose late result changes nothing.
 * 2. A stored session is restored by its wallet's stable id. The wallet may announce itself late, so the session waits
 *    for a limited time. The user is not asked: if the wallet no longer grants access, the session is disconnected.
 * 3. A wallet that disappeared, or reports a disconnect, is silently looked up once more before the session ends.
 * 4. Storage has the last connection. Only the end of a connection, by the user or the wallet, deletes it. A session
 *    that could not be restored (wallet missing, locked or slow) stays stored: another tab may have it connected, and
 *    its wallet may appear or grant access later, which restores it.
 * 5. When another tab ends a session, it ends here too, without asking the wallet again; when another tab connects, the
 *    session is restored here. If the user is already connecting another wallet, that attempt continues.
 * 6. One approval of several namespaces connects all of them before any listener is called. A session that its holder
 *    no longer has is deleted: unlike a page wallet, it cannot appear late.
 * 7. When another wallet replaces a session outside the page, the session is ended at its wallet, so that no invisible
 *    session remains.
 */
export function createSessions(options: SessionsOptions): Sessions {
  const { store, pageWallets, isConfigured } = options
  const slots = new Map<Namespace, Slot>()
  let attempts = 0
  let ended = false

  function slotOf(namespace: Namespace): Slot {
    const slot = slots.get(namespace) ?? {
      state: initialSession,
      connector: null,
      unlisten: () => {},
      controller: null,
    }
    slots.set(namespace, slot)
    return slot
  }

  function dispatch(namespace: Namespace, event: SessionEvent, cause: Cause): void {
    const slot = slotOf(namespace)
    const before = slot.state
    slot.state = reduceSession(before, event, isConfigured)
    if (slot.state === before || ended) return
    const { connection, attempt } = slot.state
    if (attempt === null) slot.controller?.abort(new Failure('ABORTED'))
    if (connection === before.connection) return
    const { connector } = slot
    if (connection.status === 'disconnected') release(slot)
    // Store first, so that a reload restores it; then the page, then its other tabs, which read the store.
    const isNews = cause !== 'sync' && remember(namespace, connector)
    options.onChange(namespace, connection, cause)
    if (isNews) options.onStored()
  }

  function remember(namespace: Namespace, connector: Connector | null): boolean {
    const { connection } = slotOf(namespace).state
    if (connection.status === 'connected')
      return connector !== null && store.keepSession(namespace, toStored(connector, connection))
    return connection.status === 'disconnected' && forget(namespace, connector?.stableId)
  }

  /** 4: keeps what another tab connected */
  function forget(namespace: Namespace, stableId: string | undefined): boolean {
    const stored = store.session(namespace)
    const isOther = stableId !== undefined && stored !== null && stored.stableId !== stableId
    return !isOther && store.keepSession(namespace, null)
  }

  function release(slot: Slot): void {
    slot.unlisten()
    slot.unlisten = () => {}
    slot.connector = null
  }

  function begin(namespace: Namespace, outer?: AbortSignal): { attempt: number; signal: AbortSignal } {
    const slot = slotOf(namespace)
    slot.controller?.abort(new Failure('ABORTED'))
    const controller = new AbortController()
    slot.controller = controller
    return { attempt: ++attempts, signal: followAbort(controller, outer) }
  }

  /** Listens before reporting it as connected. */
  function succeed(connector: Connector, attempt: number, granted: WalletSession, cause: Cause): void {
    const { namespace } = connector
    const slot = slotOf(namespace)
    if (slot.state.attempt !== attempt) throw new Failure('ABORTED')
    const replaced = slot.connector
    release(slot)
    if (replaced !== null && isRemote(replaced) && replaced.stableId !== connector.stableId) endQuietly(replaced)
    slot.controller = null
    slot.connector = connector
    slot.unlisten = connector.listen((event) => onConnectorEvent(connector, event))
    dispatch(namespace, { type: 'succeed', attempt, known: { connector: summaryOf(connector), ...granted } }, cause)
    // Only a changed account.
    if (cause === 'sync') store.keepSession(namespace, toStored(connector, granted))
  }

  function onConnectorEvent(connector: Connector, event: ConnectorEvent): void {
    const { namespace } = connector
    if (slotOf(namespace).connector !== connector) return
    if (event.kind === 'accounts') dispatch(namespace, { type: 'accounts', accounts: event.accounts }, 'wallet')
    else if (event.kind === 'network') dispatch(namespace, { type: 'network', networkId: event.networkId }, 'wallet')
    else void findAgain(connector)
  }

  async function findAgain(lost: Connector): Promise<void> {
    const { namespace } = lost
    const { connection, attempt: other } = slotOf(namespace).state
    if (connection.status !== 'connected') return
    // Another attempt is running: end this session only.
    if (other !== null) return dispatch(namespace, { type: 'accounts', accounts: [] }, 'wallet')
    const { attempt, signal } = begin(namespace)
    dispatch(namespace, { type: 'lose', attempt }, 'sync')
    await reach(lost, { namespace, attempt, signal }, 'wallet')
  }

  /** Never rejects. */
  async function reach(wanted: Wanted, running: Running, cause: 'wallet' | 'sync'): Promise<void> {
    const { namespace, attempt, signal } = running
    let isOver = false
    try {
      const connector = await find(wanted, namespace, signal)
      if (connector === undefined) return dispatch(namespace, { type: 'fail', attempt }, 'sync')
      const granted = await connector.reconnect(signal)
      if (granted !== null) return succeed(connector, attempt, granted, cause)
      isOver = isRemote(wanted)
    } catch {
      // Invalid or no response: nothing is granted.
    }
    if (slotOf(namespace).state.attempt !== attempt) return
    dispatch(namespace, { type: 'fail', attempt }, cause)
    if (isOver && forget(namespace, wanted.stableId)) options.onStored()
  }

  async function find(wanted: Wanted, namespace: Namespace, signal: AbortSignal): Promise<Connector | undefined> {
    const { stableId } = wanted
    if (isRemote(wanted)) {
      const holder = await (wanted.type === 'AUTH' ? options.embedded() : options.multi())
      return holder.restore(namespace, stableId, identityOf(wanted))
    }
    const wallet = await pageWallets.waitFor({ namespace, stableId }, announcementWait, signal)
    return wallet && options.connectorOf(wallet)
  }

  function restore(namespace: Namespace, stored: StoredSession): void {
    const { attempt, signal } = begin(namespace)
    dispatch(namespace, { type: 'restore', attempt, known: fromStored(stored) }, 'sync')
    void reach(stored, { namespace, attempt, signal }, 'sync')
  }

  function syncNamespace(namespace: Namespace): void {
    const { state, connector, controller } = slotOf(namespace)
    const { connection, attempt } = state
    const stored = store.session(namespace)
    const isSearching =
      connection.status === 'reconnecting' || (connection.status === 'connecting' && connection.accounts !== undefined)
    const isHeld = connection.status === 'connected' || isSearching
    const isOther = isHeld && stored !== null && connector !== null && connector.stableId !== stored.stableId
    if (stored === null && connection.status === 'connected' && attempt !== null)
      dispatch(namespace, { type: 'accounts', accounts: [] }, 'sync')
    else if (isHeld && (stored === null || isOther)) {
      controller?.abort(new Failure('ABORTED'))
      dispatch(namespace, { type: 'disconnect' }, 'sync')
    }
    if (stored !== null && slotOf(namespace).state.connection.status === 'disconnected') restore(namespace, stored)
  }

  function onPageWallets(): void {
    const present = new Set(pageWallets.list().map(({ id }) => id))
    for (const namespace of namespaces) {
      const { connector } = slotOf(namespace)
      if (connector?.pageWallet !== undefined && !present.has(connector.pageWallet)) void findAgain(connector)
      restoreIf(namespace, () => true)
    }
  }

  /** After a sign of life from its wallet. */
  function restoreIf(namespace: Namespace, isConcerned: (wallet: PageWallet) => boolean): void {
    if (slotOf(namespace).state.connection.status !== 'disconnected') return
    const stored = store.session(namespace)
    const wallet = stored && pageWallets.find(namespace, stored.stableId)
    if (stored && wallet && isConcerned(wallet)) restore(namespace, stored)
  }

  const stops = [
    pageWallets.subscribe(onPageWallets),
    pageWallets.onEvent(({ wallet, event, data }) => {
      if (event !== 'accountsChanged' || !Array.isArray(data) || data.length === 0) return
      for (const namespace of namespaces) restoreIf(namespace, ({ id }) => id === wallet)
    }),
  ]

  return {
    connection: (namespace) => slotOf(namespace).state.connection,
    connector: (namespace) => slotOf(namespace).connector,

    async connect(connector, { signal: outer, ask }) {
      const { namespace } = connector
      const { attempt, signal } = begin(namespace, outer)
      dispatch(namespace, { type: 'connect', attempt, connector: summaryOf(connector) }, 'sync')
      try {
        const granted = await ask(signal)
        signal.throwIfAborted()
        succeed(connector, attempt, granted, 'visitor')
      } catch (thrown) {
        dispatch(namespace, { type: 'fail', attempt }, 'sync')
        throw thrown
      }
    },

    adopt(granted) {
      const begun = granted.map(({ connector, session }) => {
        const { namespace } = connector
        const { attempt } = begin(namespace)
        dispatch(namespace, { type: 'connect', attempt, connector: summaryOf(connector) }, 'sync')
        return () => succeed(connector, attempt, session, connector === granted[0]?.connector ? 'visitor' : 'together')
      })
      for (const finish of begun) finish()
    },

    sync() {
      for (const namespace of namespaces) syncNamespace(namespace)
    },

    async disconnect(namespace) {
      const { connector } = slotOf(namespace)
      const stored = store.session(namespace)
      // Public state first: the wallet may be slow.
      dispatch(namespace, { type: 'disconnect' }, 'visitor')
      if (store.keepSession(namespace, null)) options.onStored()
      if (connector !== null) await connector.disconnect()
      // Not restored yet: tell the remote wallet.
      else if (stored !== null && isRemote(stored)) await (await find(stored, namespace, never))?.disconnect()
    },

    async switchNetwork(network, signal) {
      const namespace = network.chainNamespace
      const { connector } = slotOf(namespace)
      if (connector === null) throw new Failure('DISCONNECTED')
      const networkId = await connector.switchNetwork(network, signal)
      if (slotOf(namespace).connector === connector) dispatch(namespace, { type: 'network', networkId }, 'visitor')
    },

    end() {
      ended = true
      for (const stop of stops) stop()
      for (const slot of slots.values()) {
        slot.controller?.abort(new Failure('LINK_CLOSED'))
        release(slot)
      }
    },
  }
}

type Wanted = Pick<StoredSession, 'stableId' | 'name' | 'type' | 'imageUrl'>
type Running = { readonly namespace: Namespace; readonly attempt: number; readonly signal: AbortSignal }

const never = new AbortController().signal

/** Outside the page, with its session in the host. */
function isRemote({ type }: Pick<Wanted, 'type'>): boolean {
  return type === 'WALLET_CONNECT' || type === 'AUTH'
}

function identityOf({ name, imageUrl }: Wanted) {
  return { name, ...(imageUrl !== undefined && { imageUrl }) }
}

/** An unreachable wallet lets its session expire. */
function endQuietly(connector: Connector): void {
  connector.disconnect().catch(() => {})
}

function summaryOf({ id, name, type, imageUrl, pageWallet }: Connector): ConnectorSummary {
  return {
    id,
    name,
    type,
    ...(imageUrl !== undefined && { imageUrl }),
    ...(pageWallet !== undefined && { pageWallet }),
  }
}

function toStored(connector: Connector, { accounts, networkId }: Pick<Known, 'accounts' | 'networkId'>): StoredSession {
  const { stableId, name, type, imageUrl } = connector
  return { stableId, name, type, ...(imageUrl !== undefined && { imageUrl }), accounts: [...accounts], networkId }
}

/** Page wallet ids change on reload: use the stable id until found. */
function fromStored({ stableId, name, type, imageUrl, accounts, networkId }: StoredSession): Known {
  return { connector: { id: stableId, name, type, ...(imageUrl !== undefined && { imageUrl }) }, accounts, networkId }
}
