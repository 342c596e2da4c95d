import type { Connection, Namespace, PageWallet } from '@postern/protocol'
import { type ActiveNetwork, createActiveNetwork } from '../connections/active-network'
import { createMultiAccess, type MultiAccess } from '../connections/multi'
import type { Cause } from '../connections/sessions/namespace-session'
import { createSessions, type Sessions } from '../connections/sessions/sessions'
import { createWalletList, type WalletList } from '../connections/wallets/wallet-list'
import type { Connector, MultiConnector } from '../connectors/connector'
import { createPageConnector } from '../connectors/page-connector'
import { createDirectoryClient } from '../services/directory'
import { isUnsupported } from '../snapshot/opening'
import type { SignInEvent } from '../snapshot/sign-in-prompt'
import type { PageSessionOptions, PageSetup } from './page-setup'

export type PageConnections = {
  readonly active: ActiveNetwork
  readonly multi: MultiAccess
  readonly sessions: Sessions
  readonly walletList: WalletList
  walletById(id: string): PageWallet | undefined
  connectorById(id: string): Connector | undefined
  /** Default: all namespaces. */
  disconnect(ended?: readonly Namespace[]): Promise<void>
  /** The embedded wallet signs out of all its namespaces. */
  leave(namespace?: Namespace): Promise<void>
  setPageWallets(wallets: readonly PageWallet[]): void
  /** Call after another tab changed the stored sessions. */
  resync(): void
  end(): void
}

export function createPageConnections(
  options: PageSessionOptions,
  setup: PageSetup,
  outside: {
    readonly embedded: () => Promise<Pick<MultiConnector, 'restore'>>
    readonly onConnection: (namespace: Namespace, connection: Connection) => void
    readonly onSignIn: (event: SignInEvent) => void
  },
): PageConnections {
  const { init, link, project, http, store, modal, dependencies } = options
  const { networks, defaultNetwork, namespaces, features, storage, stored, pageWallets, metadata, clientOf } = setup
  const active = createActiveNetwork({ store, stored, networks, first: defaultNetwork.caipNetworkId })
  const relay = init.walletConnect === false ? null : project.walletConnect
  const multi = createMultiAccess(
    store,
    relay === null
      ? null
      : () =>
          dependencies.createWalletConnect({
            relay,
            networks,
            metadata,
            storage,
            clock: dependencies.clock,
            onPageReturn: dependencies.onPageReturn,
            clientOf,
            async normalise(namespace, addresses) {
              const { loadAdapter } = await import('@postern/chains/adapters')
              return (await loadAdapter(namespace)).normaliseAddresses(addresses)
            },
            preferredNetwork: active.preferred,
            page: { init, link, modal, onSignIn: outside.onSignIn },
          }),
  )
  const sessions = createSessions({
    store: stored,
    clock: dependencies.clock,
    onPageReturn: dependencies.onPageReturn,
    pageWallets,
    connectorOf,
    multi: multi.get,
    embedded: outside.embedded,
    isConfigured: (id) => networks.get(id) !== undefined,
    onChange,
    onStored: () => link.emit('sessionChanged', null),
  })
  const walletList = createWalletList({
    store,
    init,
    project: { ...project, features },
    pageWallets,
    recent: stored.recent,
    namespaces,
    chains: networks.list.map(({ caipNetworkId }) => caipNetworkId),
    isWalletConnectOffered: multi.isOffered,
    directory: createDirectoryClient(http),
    warn: dependencies.warn,
  })

  function onChange(namespace: Namespace, connection: Connection, cause: Cause): void {
    const before = store.getState().connections[namespace]
    const isActive = active.follow(namespace, connection, cause)
    const [was, is] = [isUnsupported(before), isUnsupported(connection)]
    if (is && !was && isActive && cause === 'wallet') modal.open('UnsupportedChain')
    const isMended = was && !is && connection.status === 'connected'
    if (isMended && store.getState().opening.view === 'UnsupportedChain') modal.close()
    outside.onConnection(namespace, connection)
  }

  function walletById(id: string): PageWallet | undefined {
    return pageWallets.list().find((wallet) => wallet.id === id)
  }

  function connectorOf(wallet: PageWallet): Connector | undefined {
    const { namespace } = wallet
    if (!namespaces.includes(namespace)) return undefined
    return createPageConnector(wallet, walletList.isMulti(wallet.id), {
      ask: (request, settings) => link.request('walletRequest', request, settings),
      onWalletEvent: pageWallets.onEvent,
      networks,
      preferredNetwork: () => active.preferred(namespace),
      clientOf,
      clock: dependencies.clock,
    })
  }

  async function disconnect(ended: readonly Namespace[] = namespaces): Promise<void> {
    await Promise.all(ended.map((name) => sessions.disconnect(name)))
  }

  const isEmbedded = (namespace?: Namespace) => !!namespace && sessions.connector(namespace)?.type === 'AUTH'

  return {
    active,
    multi,
    sessions,
    walletList,
    walletById,
    connectorById(id) {
      const wallet = walletById(id)
      return wallet && connectorOf(wallet)
    },
    disconnect,
    leave: (namespace) => disconnect(isEmbedded(namespace) ? namespaces.filter(isEmbedded) : namespace && [namespace]),
    setPageWallets(wallets) {
      pageWallets.replace(wallets)
      walletList.refresh()
    },
    resync() {
      sessions.sync()
      walletList.refresh()
      active.sync()
    },
    end() {
      sessions.end()
      multi.end()
      walletList.end()
    },
  }
}
