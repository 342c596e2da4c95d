import {
  type Connection,
  errors,
  type Init,
  type Namespace,
  type PageWallet,
  type ProjectPage,
  type Theme,
  type ThemeMode,
} from '@postern/protocol'
import { loadAdapter } from '../chains/adapters'
import { createChainClients } from '../chains/chain-client'
import { configureNetworks } from '../chains/networks'
import type { WalletEvent } from '../connectors/connector'
import { createPageConnector } from '../connectors/page-connector'
import { createPageWallets } from '../connectors/page-wallets'
import { LinkFailure } from '../link/failure'
import type { HostLink } from '../link/host-link'
import type { HostHandlers } from '../link/host-methods'
import type { Clock } from '../services/clock'
import { createDirectoryClient } from '../services/directory'
import type { HttpClient } from '../services/http'
import { lazily } from '../services/lazily'
import { createHostStorage } from '../services/storage'
import { createActiveNetwork } from './active-network'
import { createBalanceWatch } from './balance'
import { createConnectAttempts } from './connect-attempt'
import { createConnectRequest } from './connect-request'
import type { HostActions, HostDirectory } from './contract'
import type { HostDependencies } from './dependencies'
import type { Modal } from './modal'
import { createMultiAccess } from './multi'
import { createOpener } from './opener'
import { heldConnection, isUnsupported } from './opening'
import { createPublisher } from './publish'
import { type Cause, createSessions } from './sessions'
import type { SnapshotStore } from './snapshot'
import { createSessionStore } from './stored'
import { createNetworkSwitch } from './switch-network'
import { createWalletList } from './wallet-list'

/** Everything that lives as long as one page's link: sessions, networks, wallets. Made by `init`, ended with the link. */
export type PageSession = {
  readonly handlers: HostHandlers
  readonly actions: Omit<HostActions, 'close' | 'notify' | 'dismissAlert'>
  readonly directory: HostDirectory
  onPageWallets(wallets: readonly PageWallet[]): void
  onWalletEvent(event: WalletEvent): void
  /** A wallet of the page sent a transaction. */
  onTransacted(): void
  /** Another tab wrote the frame's storage. */
  onStorage(key: string | null): void
  end(): void
}

export type PageSessionOptions = {
  readonly init: Init
  readonly origin: string
  readonly link: HostLink
  readonly project: ProjectPage
  readonly http: HttpClient
  readonly store: SnapshotStore
  readonly modal: Modal
  readonly dependencies: HostDependencies & { readonly clock: Clock }
}

export function createPageSession(options: PageSessionOptions): PageSession {
  const { init, link, project, http, store, modal, dependencies } = options
  const { clock, fetch } = dependencies
  if (init.projectId !== project.projectId) throw new LinkFailure('INVALID_PROJECT_ID')

  const networks = configureNetworks(init.networks, {
    additional: project.networks,
    gatewayEndpoint: (id) =>
      id.startsWith('bip122:') ? http.url(`/v1/esplora/${id}`) : http.url('/v1/', { chainId: id }),
    imageUrl: (id) => http.url(`/public/getAssetImage/${encodeURIComponent(id)}`),
  })
  const [defaultNetwork] = networks.list
  const [missing] = networks.unknown
  if (defaultNetwork === undefined) throw new LinkFailure('SWITCH_NETWORK_NOT_FOUND', { data: { network: missing } })
  if (missing !== undefined) modal.alert('SWITCH_NETWORK_NOT_FOUND', { network: missing })
  const usedNamespaces = [...new Set(networks.list.map(({ chainNamespace }) => chainNamespace))]

  const storage = createHostStorage({
    frameStorage: dependencies.frameStorage,
    projectId: project.projectId,
    origin: options.origin,
    stored: init.stored,
    keepInPage: (key, value) => void link.request('store', { key, value }).catch(() => {}),
  })
  const stored = createSessionStore(storage, dependencies.baseUrl)
  const pageWallets = createPageWallets(clock)
  pageWallets.replace(init.pageWallets)
  const clientOf = createChainClients({ networks, fetch, clock })

  /* The state as it was left, before anything is asked. */
  store.setState({
    ready: true,
    theme: init.theme ?? {},
    themeMode: themeModeOf(init.theme ?? {}, init.colorScheme),
    metadata: init.metadata ?? null,
    networks: networks.list,
    namespaces: usedNamespaces,
    ...(init.locale !== undefined && { locale: init.locale }),
  })
  const active = createActiveNetwork({ store, stored, networks, first: defaultNetwork.caipNetworkId })
  const { walletConnect: relay } = project
  const isWalletConnectOffered = relay !== null && init.walletConnect !== false
  const multi = createMultiAccess(
    store,
    isWalletConnectOffered
      ? () =>
          dependencies.createWalletConnect({
            relay,
            networks,
            metadata: {
              name: init.metadata?.name ?? project.name,
              description: init.metadata?.description ?? '',
              url: options.origin,
              icons: init.metadata?.icons ?? [],
            },
            storage,
            clock,
            normalise: async (namespace, addresses) => (await loadAdapter(namespace)).normaliseAddresses(addresses),
            preferredNetwork: active.preferred,
          })
      : null,
  )
  const sessions = createSessions({
    store: stored,
    pageWallets,
    connectorOf,
    multi: multi.get,
    isConfigured: (id) => networks.get(id) !== undefined,
    onChange: onConnectionChange,
    onStored: () => link.emit('sessionChanged', null),
  })
  const walletList = createWalletList({
    store,
    init,
    project,
    pageWallets,
    recent: stored.recent,
    namespaces: usedNamespaces,
    chains: networks.list.map(({ caipNetworkId }) => caipNetworkId),
    isWalletConnectOffered,
    directory: createDirectoryClient(http),
  })
  const attempts = createConnectAttempts({
    store,
    clock,
    sessions,
    connectorById: (id) => {
      const wallet = walletById(id)
      return wallet && connectorOf(wallet)
    },
    multi: isWalletConnectOffered ? multi.get : null,
    openLink: (opened) => link.request('openLink', opened),
    onLinkFailed: (code) => modal.notify(errors[code].message, 'bad'),
    onConnected({ id, name, entry }) {
      stored.addRecent({ id, name, ...(entry?.rdns && { rdns: entry.rdns }) })
      walletList.refresh()
    },
    onDone() {
      attempts.cancel()
      if (isUnsupported(heldConnection(store.getState()))) modal.open('UnsupportedChain')
      else modal.close()
    },
  })
  const opener = createOpener({
    store,
    modal,
    attempts,
    surroundings: { isMobile: dependencies.isMobile, isExternal: (id) => walletById(id)?.type === 'EXTERNAL' },
    isWalletConnectOffered,
  })
  const balance = createBalanceWatch({ store, clock, loadAdapter, clientOf })
  const networkSwitch = createNetworkSwitch({
    store,
    sessions,
    setActive: active.set,
    onForeign: () => modal.open('SwitchActiveChain'),
  })
  const stopClosing = modal.onClose(() => {
    attempts.cancel()
    want(null)
  })
  sessions.sync()
  // Begins last: the answer to `init` is the first state, and says already who is being found again.
  const publisher = createPublisher(store, (state) => link.emit('state', state))

  function walletById(id: string): PageWallet | undefined {
    return pageWallets.list().find((wallet) => wallet.id === id)
  }

  function connectorOf(wallet: PageWallet) {
    const { namespace } = wallet
    if (!usedNamespaces.includes(namespace)) return undefined
    const row = store
      .getState()
      .wallets.find(({ connectors }) => connectors.some((one) => one.connectorId === wallet.id))
    return createPageConnector(wallet, (row?.connectors.length ?? 0) > 1, {
      ask: (request, settings) => link.request('walletRequest', request, settings),
      onWalletEvent: pageWallets.onEvent,
      networks,
      preferredNetwork: () => active.preferred(namespace),
      clientOf,
    })
  }

  function onConnectionChange(namespace: Namespace, connection: Connection, cause: Cause): void {
    const before = store.getState().connections[namespace]
    const isActive = active.follow(namespace, connection, cause)
    const [was, is] = [isUnsupported(before), isUnsupported(connection)]
    if (is && !was && isActive && cause === 'wallet') modal.open('UnsupportedChain')
    const isMended = was && !is && connection.status === 'connected'
    if (isMended && store.getState().opening.view === 'UnsupportedChain') modal.close()
  }

  function want(wantedNamespace: Namespace | null): void {
    if (store.getState().wantedNamespace !== wantedNamespace) store.setState({ wantedNamespace })
  }

  async function disconnect(namespace?: Namespace): Promise<void> {
    const ended = namespace === undefined ? usedNamespaces : [namespace]
    await Promise.all(ended.map((name) => sessions.disconnect(name)))
  }

  function resync(): void {
    sessions.sync()
    walletList.refresh()
    active.sync()
  }

  // Neither is needed before something is on show.
  const rpc = lazily(async () =>
    (await import('./rpc')).createRpc({
      onApproved: balance.refresh,
      networks,
      sessions,
      loadAdapter,
      clientOf,
      activeNetworkId: () => store.getState().activeNetworkId,
    }),
  )
  const diagnosis = lazily(async () =>
    (await import('./diagnosis')).createDiagnosis({
      http,
      storage,
      network: defaultNetwork,
      client: clientOf(defaultNetwork.caipNetworkId),
    }),
  )

  return {
    handlers: {
      init: publisher.state,
      open: ({ view }) => {
        opener.open(view)
        return null
      },
      close: () => {
        if (!modal.close()) throw new LinkFailure('CLOSE_REFUSED')
        return null
      },
      connect: createConnectRequest({
        store,
        sessions,
        modal,
        namespaces: usedNamespaces,
        openConnect(namespace) {
          want(namespace !== undefined && usedNamespaces.length > 1 ? namespace : null)
          opener.openConnect()
        },
      }),
      disconnect: async ({ namespace }) => {
        await disconnect(namespace)
        return null
      },
      switchNetwork: async ({ network }, signal) => {
        await networkSwitch.to(networks.find(network), signal)
        return null
      },
      setTheme: ({ theme, colorScheme }) => {
        store.setState({ theme, themeMode: themeModeOf(theme, colorScheme) })
        return null
      },
      rpc: async (params, signal) => (await rpc())(params, signal),
      peerChanged: ({ stored: kept }) => {
        storage.reload(kept)
        resync()
        return null
      },
      ping: () => null,
      diagnose: async (params, signal) => (await diagnosis())(params, signal),
    },
    actions: {
      connect: attempts.begin,
      connectEntry: (entry) => attempts.begin(walletList.rowOf(entry)),
      openWalletLink: attempts.openWalletLink,
      preparePairing: multi.prepare,
      retryConnect: attempts.retry,
      cancelConnect: attempts.cancel,
      activate(namespace) {
        const connection = sessions.connection(namespace)
        if (connection.status === 'connected') active.set(connection.networkId)
      },
      want,
      async disconnect(namespace) {
        try {
          await disconnect(namespace)
          if (heldConnection(store.getState()) === null) modal.close()
        } catch {
          modal.notify(errors.DISCONNECT_FAILED.message, 'bad')
        }
      },
      switchNetwork: (id) => networkSwitch.to(networks.get(id)),
      refreshBalance: balance.refresh,
    },
    directory: walletList.directory,
    onPageWallets(wallets) {
      pageWallets.replace(wallets)
      walletList.refresh()
      attempts.onPageWallets(new Set(wallets.map(({ id }) => id)))
    },
    onWalletEvent: pageWallets.dispatch,
    onTransacted: balance.refresh,
    onStorage(key) {
      if (storage.place === 'frame' && storage.owns(key)) resync()
    },
    end() {
      stopClosing()
      attempts.cancel()
      networkSwitch.end()
      sessions.end()
      multi.end()
      balance.end()
      walletList.end()
      publisher.end()
    },
  }
}

function themeModeOf(theme: Theme, colorScheme: ThemeMode): ThemeMode {
  return theme.mode === 'light' || theme.mode === 'dark' ? theme.mode : colorScheme
}
