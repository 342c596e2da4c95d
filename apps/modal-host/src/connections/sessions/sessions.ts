import { type Clock, retryDelayMs } from '@postern/base/clock'
import type { ConfiguredNetwork } from '@postern/chains/networks'
import { type CaipNetworkId, type Connection, type Namespace, namespaces, type PageWallet } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Connector, GrantedConnector, WalletSession } from '../../connectors/connector'
import type { OnPageReturn } from '../../services/page-return'
import { createFindWallet, type FindWalletOptions } from './find-wallet'
import { type Cause, createNamespaceSession, type NamespaceSession } from './namespace-session'
import { createRestoring } from './restore'
import { isRemote, knownFrom, summaryOf } from './session-record'
import type { SessionStore, StoredSession } from './stored'
import { isRestoring, planSync } from './sync-plan'

export type Sessions = {
  connection(namespace: Namespace): Connection
  connector(namespace: Namespace): Connector | null
  /** Resolves once nothing is being restored. Asks an unreachable wallet again; else it stays `reconnecting`. */
  restored(namespace: Namespace): Promise<void>
  connect(
    connector: Connector,
    options: { readonly signal: AbortSignal; readonly ask: (signal: AbortSignal) => Promise<WalletSession> },
  ): Promise<void>
  adopt(granted: readonly GrantedConnector[]): void
  /** Restores stored sessions; drops those that another tab ended. */
  sync(): void
  disconnect(namespace: Namespace): Promise<void>
  chooseAccount(address: string): void
  /** Rejects if none is connected. */
  switchNetwork(network: ConfiguredNetwork, signal: AbortSignal): Promise<void>
  end(): void
}

export type SessionsOptions = FindWalletOptions & {
  readonly store: SessionStore
  readonly clock: Clock
  readonly onPageReturn: OnPageReturn
  readonly isConfigured: (id: CaipNetworkId) => boolean
  readonly onChange: (namespace: Namespace, connection: Connection, cause: Cause) => void
  readonly onStored: () => void
}

/**
 * Connects, restores and ends the sessions of all namespaces.
 *
 * 1. A later attempt in a namespace aborts an earlier one, whose late result is ignored.
 * 2. A stored session is restored by its wallet's stable id, without a prompt, if the wallet announces itself in time.
 *    If the wallet grants nothing, the session is disconnected. If the wallet cannot be asked, the session is
 *    reconnecting; the wallet is asked again after {@link retryDelayMs}, when the user returns to the page, when the
 *    device is online, and for a request.
 * 3. A wallet that disappears or reports a disconnect is looked up once more before its session ends. If several page
 *    wallets share the stable id, none is restored, and a restored one is lost: only the user can choose.
 * 4. Only the user or the wallet ends a stored session: another tab may have it connected, or its wallet may appear or
 *    grant access later.
 * 5. When another tab ends a session, it ends here without asking the wallet; when another tab connects, it is restored
 *    here. The user's attempt with another wallet continues; if it fails, the interrupted session is restored.
 * 6. One approval of several namespaces connects all of them before any listener is called. A session that its holder
 *    no longer has is deleted: unlike a page wallet, it cannot appear late.
 * 7. A session outside the page that another wallet replaces is ended at its wallet.
 */
export function createSessions(options: SessionsOptions): Sessions {
  const { store, clock, pageWallets, isConfigured, onChange, onStored } = options
  const sessions = new Map<Namespace, NamespaceSession>()
  const find = createFindWallet(options)
  const restoring = createRestoring({ store, clock, find, sessionOf, onStored })
  const chosen = new Set<string>()
  let isEnded = false

  function sessionOf(namespace: Namespace): NamespaceSession {
    const session =
      sessions.get(namespace) ??
      createNamespaceSession({
        ...{ namespace, store, isConfigured, onChange, onStored },
        onLost: (connector) => findAgain(connector),
      })
    sessions.set(namespace, session)
    return session
  }

  function findAgain(lost: Connector): void {
    const session = sessionOf(lost.namespace)
    const { connection, attempt: other } = session.state
    if (connection.status !== 'connected') return
    if (other !== null) {
      // Another attempt runs: end only this session.
      session.dispatch({ type: 'accounts', accounts: [] }, 'wallet')
      return
    }
    const running = session.begin()
    session.dispatch({ type: 'lose', attempt: running.attempt }, 'sync')
    restoring.begin(lost.namespace, lost, running, 'wallet')
  }

  function restore(namespace: Namespace, stored: StoredSession): void {
    const session = sessionOf(namespace)
    const running = session.begin()
    session.dispatch({ type: 'restore', attempt: running.attempt, known: knownFrom(stored) }, 'sync')
    restoring.begin(namespace, stored, running, 'sync')
  }

  function onPageWallets(): void {
    for (const namespace of namespaces) {
      const { connector } = sessionOf(namespace)
      if (connector !== null && hasLeftPage(connector, pageWallets, chosen)) findAgain(connector)
      restoreIf(namespace, () => true)
    }
  }

  /** After a sign of life from the wallet. */
  function restoreIf(namespace: Namespace, isConcerned: (wallet: PageWallet) => boolean): void {
    const stored = store.session(namespace)
    const wallet = stored && pageWallets.find(namespace, stored.stableId)
    if (!stored || !wallet || !isConcerned(wallet) || restoring.askAgain(namespace)) return
    if (sessionOf(namespace).state.connection.status === 'disconnected') restore(namespace, stored)
  }

  const stops = [
    pageWallets.subscribe(onPageWallets),
    pageWallets.onEvent(({ wallet, event, data }) => {
      if (event !== 'accountsChanged' || !Array.isArray(data) || data.length === 0) return
      for (const namespace of namespaces) restoreIf(namespace, ({ id }) => id === wallet)
    }),
    options.onPageReturn(() => {
      for (const namespace of namespaces) restoring.askAgain(namespace)
    }),
  ]

  return {
    connection: (namespace) => sessionOf(namespace).state.connection,
    connector: (namespace) => sessionOf(namespace).connector,
    restored: restoring.untilAsked,
    async connect(connector, { signal: outer, ask }) {
      const { namespace } = connector
      const session = sessionOf(namespace)
      const isInterrupting = isRestoring(session.state.connection)
      const { attempt, signal } = session.begin(outer)
      session.dispatch({ type: 'connect', attempt, connector: summaryOf(connector) }, 'sync')
      try {
        const granted = await ask(signal)
        signal.throwIfAborted()
        if (connector.pageWallet !== undefined) chosen.add(connector.pageWallet)
        session.succeed(connector, attempt, granted, 'visitor', null)
      } catch (thrown) {
        const isLast = session.state.attempt === attempt
        session.dispatch({ type: 'fail', attempt }, 'sync')
        const stored = store.session(namespace)
        if (isInterrupting && isLast && stored !== null && !isEnded) restore(namespace, stored)
        throw thrown
      }
    },

    adopt(granted) {
      const attempts = granted.map(({ connector, session: grantedSession, events }) => {
        const session = sessionOf(connector.namespace)
        const { attempt } = session.begin()
        session.dispatch({ type: 'connect', attempt, connector: summaryOf(connector) }, 'sync')
        const cause = connector === granted[0]?.connector ? 'visitor' : 'together'
        return () => session.succeed(connector, attempt, grantedSession, cause, events)
      })
      for (const succeed of attempts) succeed()
    },

    sync() {
      for (const namespace of namespaces) {
        const session = sessionOf(namespace)
        const stored = store.session(namespace)
        const own = session.connector?.stableId ?? restoring.stableId(namespace)
        const plan = planSync(session.state, own, stored)
        if (plan === 'none' && stored !== null && stored.stableId === session.connector?.stableId)
          session.follow(stored)
        if (plan === 'leave') session.dispatch({ type: 'accounts', accounts: [] }, 'sync')
        if (plan === 'end' || plan === 'replace') {
          session.abort()
          session.dispatch({ type: 'disconnect' }, 'sync')
        }
        if (stored !== null && (plan === 'replace' || plan === 'restore')) restore(namespace, stored)
      }
    },

    async disconnect(namespace) {
      const session = sessionOf(namespace)
      const { connector } = session
      const stored = store.session(namespace)
      // Public state first: the wallet may be slow.
      session.dispatch({ type: 'disconnect' }, 'visitor')
      if (store.keepSession(namespace, null)) onStored()
      if (connector !== null) await connector.disconnect()
      // A remote wallet must receive the disconnect, even before its session is restored.
      else if (stored !== null && isRemote(stored)) await (await find(stored, namespace, never))?.disconnect()
    },

    chooseAccount: (address) => sessionOf('eip155').choose(address),

    async switchNetwork(network, signal) {
      const session = sessionOf(network.chainNamespace)
      const { connector } = session
      if (connector === null) throw new Failure('DISCONNECTED')
      const networkId = await connector.switchNetwork(network, signal)
      if (session.connector === connector) session.dispatch({ type: 'network', networkId }, 'visitor')
    },

    end() {
      isEnded = true
      for (const stop of stops) stop()
      for (const session of sessions.values()) session.end()
    },
  }
}

const never = new AbortController().signal

/** Rule 3. `chosen`: ids that the user chose, despite another wallet with the same stable id. */
function hasLeftPage(
  { namespace, stableId, pageWallet }: Connector,
  pageWallets: SessionsOptions['pageWallets'],
  chosen: ReadonlySet<string>,
): boolean {
  if (pageWallet === undefined) return false
  if (chosen.has(pageWallet)) return pageWallets.list().every(({ id }) => id !== pageWallet)
  return pageWallets.find(namespace, stableId) === undefined
}
