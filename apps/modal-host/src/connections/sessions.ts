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

/** How long a wallet that a session belongs to may take to announce itself again, in ms. Extensions inject late on slow machines. */
export const announcementWait = 3_000

export type Sessions = {
  connection(namespace: Namespace): Connection
  connector(namespace: Namespace): Connector | null
  /** Connects with what `ask` brings from the wallet; its signal ends with the attempt. */
  connect(
    connector: Connector,
    options: { readonly signal: AbortSignal; readonly ask: (signal: AbortSignal) => Promise<WalletSession> },
  ): Promise<void>
  /** Makes a connection of each namespace that one approval granted. The first one is what the visitor is at. */
  adopt(granted: readonly GrantedConnector[]): void
  /** Looks for every stored session that is not connected, and drops what another tab ended. */
  sync(): void
  disconnect(namespace: Namespace): Promise<void>
  /** Asks the wallet of the network's namespace. Rejects when none is connected. */
  switchNetwork(network: Network, signal: AbortSignal): Promise<void>
  end(): void
}

export type SessionsOptions = {
  readonly store: SessionStore
  readonly pageWallets: PageWallets
  readonly connectorOf: (wallet: PageWallet) => Connector | undefined
  /** Holds the sessions of wallets that are not in the page. Rejects where it is not offered, or cannot be loaded. */
  readonly multi: () => Promise<Pick<MultiConnector, 'restore'>>
  /** The same of the embedded wallet. */
  readonly embedded: () => Promise<Pick<MultiConnector, 'restore'>>
  readonly isConfigured: (id: CaipNetworkId) => boolean
  /** A connection is another one now. */
  readonly onChange: (namespace: Namespace, connection: Connection, cause: Cause) => void
  /** What is stored changed by what happened in this tab. */
  readonly onStored: () => void
}

/**
 * Why a connection changed: what the visitor did here, what came along with it in another namespace (`together`), what the wallet did, or what
 * was found again or synced.
 */
export type Cause = 'visitor' | 'together' | 'wallet' | 'sync'

type Slot = {
  state: SessionState
  connector: Connector | null
  unlisten: () => void
  /** Ends the running attempt. */
  controller: AbortController | null
}

/**
 * The sessions of all namespaces: runs the machine of `machine.ts` against wallets and storage.
 *
 * 1. One attempt a namespace: a later one aborts the earlier one, and its late answer changes nothing.
 * 2. A stored session is found again by its wallet's stable id. The wallet may announce itself late; it is waited for, for a bounded time.
 *    Nobody is asked: what the wallet no longer grants is disconnected.
 * 3. A wallet that vanished, or reports a disconnect, is looked for once in the same silent way before the session ends.
 * 4. What is stored is what was connected last. Only the end of a connection, by the visitor or the wallet, forgets it. One that could not be
 *    found again (the wallet stays away, is locked, is slow) stays stored: another tab may hold it, and its wallet may yet come or grant again,
 *    which finds it.
 * 5. Another tab's end ends the session here without asking the wallet again; another tab's connection is found again here. Where the visitor is at
 *    another wallet already, that attempt goes on.
 * 6. One approval of several namespaces connects all of them before anybody hears of the first. A session that its holder no longer has is
 *    over, and forgotten: unlike a page's wallet it cannot come late.
 * 7. A session that is not in the page, and is replaced by another wallet's, is ended at its wallet: nothing is left there that nobody shows.
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
    // It is written down first, so that whoever saw it finds it so after a reload; then the page learns it, then the page's other tabs, which read
    // what the page has written down.
    const isNews = cause !== 'sync' && remember(namespace, connector)
    options.onChange(namespace, connection, cause)
    if (isNews) options.onStored()
  }

  /** Whether something else is kept now. */
  function remember(namespace: Namespace, connector: Connector | null): boolean {
    const { connection } = slotOf(namespace).state
    if (connection.status === 'connected')
      return connector !== null && store.keepSession(namespace, toStored(connector, connection))
    return connection.status === 'disconnected' && forget(namespace, connector?.stableId)
  }

  /** 4. What another tab connected in the place of this one stays. */
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

  /** Makes `connector` the session's own, and listens to it, before anybody hears that it is connected. */
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
    // A sync that found the session as it was stored changes nothing; one that found another account keeps that.
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
    // The visitor is at another wallet already: this one is let go, and that attempt goes on.
    if (other !== null) return dispatch(namespace, { type: 'accounts', accounts: [] }, 'wallet')
    const { attempt, signal } = begin(namespace)
    dispatch(namespace, { type: 'lose', attempt }, 'sync')
    await reach(lost, { namespace, attempt, signal }, 'wallet')
  }

  /** Looks for the wallet and takes what it still grants. Never rejects. */
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
      // A wallet that does not answer, or answers nonsense, grants nothing.
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

  /** The wallets of the page changed: one that we use may be gone, one that a session waits for may have come. */
  function onPageWallets(): void {
    const present = new Set(pageWallets.list().map(({ id }) => id))
    for (const namespace of namespaces) {
      const { connector } = slotOf(namespace)
      if (connector?.pageWallet !== undefined && !present.has(connector.pageWallet)) void findAgain(connector)
      restoreIf(namespace, () => true)
    }
  }

  /** Looks again for a session that could not be found, now that its wallet shows a sign of life. */
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
      // First the truth that everybody sees, then the wallet: it may take its time, or not know how.
      dispatch(namespace, { type: 'disconnect' }, 'visitor')
      if (store.keepSession(namespace, null)) options.onStored()
      if (connector !== null) await connector.disconnect()
      // Not found again yet, but it is there: the wallet at the other end must hear of the end.
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

/** A session to look for: as it was stored, or as it was lost. */
type Wanted = Pick<StoredSession, 'stableId' | 'name' | 'type' | 'imageUrl'>
type Running = { readonly namespace: Namespace; readonly attempt: number; readonly signal: AbortSignal }

const never = new AbortController().signal

/** A wallet that is not in the page: its session is held by the host. */
function isRemote({ type }: Pick<Wanted, 'type'>): boolean {
  return type === 'WALLET_CONNECT' || type === 'AUTH'
}

function identityOf({ name, imageUrl }: Wanted) {
  return { name, ...(imageUrl !== undefined && { imageUrl }) }
}

/** It is replaced already; a wallet that cannot be reached will see its session expire. */
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

/** The page's wallet ids do not survive a reload: until the wallet is found, its stable id stands for it. */
function fromStored({ stableId, name, type, imageUrl, accounts, networkId }: StoredSession): Known {
  return { connector: { id: stableId, name, type, ...(imageUrl !== undefined && { imageUrl }) }, accounts, networkId }
}
