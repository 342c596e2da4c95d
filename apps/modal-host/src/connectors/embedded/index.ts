/** The embedded wallet's connectors, a session per namespace. See docs/internals/embedded-wallet.md. */

import type { ConfiguredNetworks } from '@postern/chains/networks'
import {
  type CaipNetworkId,
  type Namespace,
  namespaces,
  type WalletFrameNotice,
  type WalletUser,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Connector, GrantedConnector, WalletIdentity } from '../connector'
import { nameOfUser, stableIdOfUser } from './accounts'
import { createConnectedNamespaces } from './connected-namespaces'
import { createEmbeddedConnector, type EmbeddedConnectorContext, type WalletRpc } from './embedded-connector'
import { type EmbeddedCommand, type EmbeddedEvent, initialEmbedded, reduceEmbedded } from './embedded-machine'
import type { EmbeddedAccountType, EmbeddedStore } from './stored'
import { askUserOn, createUserSessions } from './user-sessions'
import type { WalletFrame } from './wallet-frame/wallet-frame'

export type { WalletRpc }

export type EmbeddedWalletOptions = {
  readonly frame: WalletFrame
  readonly randomId: () => string
  readonly networks: ConfiguredNetworks
  readonly store: EmbeddedStore
  readonly preferredNetwork: (namespace: Namespace) => CaipNetworkId
  readonly checksum: () => Promise<(address: string) => string>
  readonly onRpc: (request: WalletRpc) => void
  readonly onUser: (user: WalletUser | null) => void
}

export type EmbeddedWallet = {
  user(): WalletUser | null
  /**
   * Null if signed out. Rejects with SESSION_EXPIRED, or if the frame is unreachable. Pass `preferred`, the last used
   * account type, only at sign-in; later the frame knows it.
   */
  read(preferred?: EmbeddedAccountType): Promise<WalletUser | null>
  /** After a move to a new wallet. Sessions stay until `grant` replaces them. */
  follow(user: WalletUser): void
  /** Emits changed accounts. */
  adopt(user: WalletUser): Promise<void>
  /** For the `requested` namespaces that are configured and have an account. Rejects with SESSION_EXPIRED. */
  grant(user: WalletUser, requested: readonly Namespace[]): Promise<readonly GrantedConnector[]>
  restore(namespace: Namespace, stableId: string, identity: WalletIdentity): Connector
  prefer(type: EmbeddedAccountType): Promise<void>
  forget(): void
  end(): void
}

/**
 * Creates the connectors of the embedded wallet. See `embedded-machine.ts`.
 *
 * 1. Namespaces that reconnect ask the frame once, without a prompt, who is signed in. Another user's session is
 *    ignored, and so are results requested before a session ended. A new sign-in asks again.
 * 2. Leaving the last namespace signs out. A connector of an earlier user signs no one out.
 * 3. A network switch happens in the frame and updates the accounts: another chain may have no smart account.
 * 4. A change of the user (preferred account, network, key recovery) shows in every connected namespace; sessions of an
 *    earlier user end.
 * 5. If the frame ends the session, every namespace ends. A lost frame is reloaded up to three times.
 */
export function createEmbeddedWallet(options: EmbeddedWalletOptions): EmbeddedWallet {
  const { frame, networks, store, preferredNetwork, checksum, randomId, onRpc } = options
  const connected = createConnectedNamespaces()
  let state = initialEmbedded
  let pendingRead: Promise<WalletUser | null> | null = null
  let isEnded = false
  const { isConfigured, networkOf, candidates, sessionIn } = createUserSessions({
    networks,
    preferredNetwork,
    checksum,
    switchedNetworks: () => state.networks,
  })

  function dispatch(event: EmbeddedEvent): void {
    const [next, commands] = reduceEmbedded(state, event)
    state = next
    if (event.type === 'sessionEnded') pendingRead = null
    for (const command of commands) run(command)
  }

  function run(command: EmbeddedCommand): void {
    switch (command.type) {
      case 'showUser':
        options.onUser(command.user)
        break
      case 'clearStore':
        store.clear()
        break
      case 'disconnectAll':
        for (const namespace of namespaces) connected.emit(namespace, { kind: 'disconnected' }, null)
        break
      case 'rereadUser':
        void rereadUser(command.lost)
        break
    }
  }

  async function adopt(user: WalletUser): Promise<void> {
    dispatch({ type: 'userChanged', user })
    for (const namespace of namespaces) {
      if (!connected.isConnected(namespace)) continue
      const session = await sessionIn(user, namespace)
      if (state.user !== user) return
      if (session === null) continue
      connected.emit(namespace, { kind: 'accounts', accounts: session.accounts }, stableIdOfUser(user))
    }
  }

  /** On the current EVM network, otherwise the first supported one. */
  async function askUser(preferred?: EmbeddedAccountType): Promise<WalletUser> {
    const { user, networkId } = await askUserOn(frame, isConfigured('eip155') ? candidates('eip155') : [], preferred)
    if (networkId !== null && networkId !== networkOf('eip155'))
      dispatch({ type: 'networkSwitched', namespace: 'eip155', networkId })
    return user
  }

  async function askSignedInUser(preferred: EmbeddedAccountType | undefined): Promise<WalletUser | null> {
    const { identityToken: token, endedSessions } = state
    const { isConnected } = await frame.ask('IS_CONNECTED', token === null ? undefined : { token })
    if (!isConnected) return null
    const user = await askUser(preferred)
    if (endedSessions !== state.endedSessions) return null
    cacheSmartAccountNetworks(frame, store, () => state.user !== null)
    return user
  }

  function read(preferred?: EmbeddedAccountType): Promise<WalletUser | null> {
    const reading: Promise<WalletUser | null> = askSignedInUser(preferred).finally(() => {
      if (pendingRead === reading) pendingRead = null
    })
    pendingRead = reading
    return reading
  }

  async function grant(user: WalletUser, requested: readonly Namespace[]): Promise<readonly GrantedConnector[]> {
    dispatch({ type: 'granted' })
    const wanted = namespaces.filter((namespace) => requested.includes(namespace) && isConfigured(namespace))
    const connectors = await connectorsOf(context, user, wanted)
    if (state.user === user) return connectors
    // No listener has received the change.
    if (state.user === null) throw new Failure('SESSION_EXPIRED')
    return grant(state.user, requested)
  }

  /** Rule 5: the frame was lost. */
  async function rereadUser(lost: WalletUser): Promise<void> {
    const user = await read().catch(() => undefined)
    // After a failed read, the next request reloads the frame and reports the error.
    if (user === undefined || isEnded || state.user !== lost) return
    if (user === null) dispatch({ type: 'sessionEnded' })
    else await adopt(user)
  }

  function onNotice(notice: WalletFrameNotice): void {
    if (notice.name === 'SESSION_UPDATE') dispatch({ type: 'tokenChanged', token: notice.token })
    const isInUse = state.user !== null || connected.isAnyConnected()
    if (notice.name === 'SESSION_ENDED' && isInUse) dispatch({ type: 'sessionEnded' })
  }

  const context: EmbeddedConnectorContext = {
    frame,
    connected,
    state: () => state,
    dispatch,
    // Rule 1: shares a pending read.
    signedInUser: async () => state.user ?? (await (pendingRead ?? read())),
    sessionIn,
    networkOf,
    adopt,
    randomId,
    onRpc,
  }

  const stops = [
    frame.onNotice(onNotice),
    frame.onLost(() => {
      if (!isEnded) dispatch({ type: 'frameLost' })
    }),
  ]
  return {
    user: () => state.user,
    read,
    adopt,
    follow: (user) => dispatch({ type: 'userChanged', user }),
    grant,
    restore(namespace, stableId, identity) {
      connected.startRestoring(namespace)
      return createEmbeddedConnector(context, namespace, stableId, identity)
    },
    // Rule 4.
    async prefer(type) {
      dispatch({ type: 'accountChosen' })
      const { accountChoices } = state
      await frame.ask('SET_PREFERRED_ACCOUNT', { type })
      store.keepPreferredAccount(type)
      const user = await askUser()
      if (accountChoices === state.accountChoices) await adopt(user)
    },
    forget: () => dispatch({ type: 'sessionEnded' }),
    end() {
      isEnded = true
      for (const stop of stops) stop()
      connected.clear()
    },
  }
}

async function connectorsOf(
  context: EmbeddedConnectorContext,
  user: WalletUser,
  wanted: readonly Namespace[],
): Promise<readonly GrantedConnector[]> {
  const identity = { name: nameOfUser(user) }
  const granted = wanted.map(async (namespace) => {
    const session = await context.sessionIn(user, namespace)
    if (session === null) return []
    const connector = createEmbeddedConnector(context, namespace, stableIdOfUser(user), identity)
    return [{ connector, session, events: null }]
  })
  return (await Promise.all(granted)).flat()
}

/** Ignores failures: the frame has the list, the store only a cache. */
function cacheSmartAccountNetworks(frame: WalletFrame, store: EmbeddedStore, isSignedIn: () => boolean): void {
  frame.ask('GET_SMART_ACCOUNT_ENABLED_NETWORKS', undefined).then(
    ({ smartAccountEnabledNetworks }) => {
      if (isSignedIn()) store.keepSmartAccountNetworks(smartAccountEnabledNetworks)
    },
    () => {},
  )
}
