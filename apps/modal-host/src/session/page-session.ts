import {
  type CaipNetworkId,
  type Connection,
  errors,
  type Init,
  type Namespace,
  namespaces,
  type PageWallet,
  type ProjectPage,
  parseCaipNetworkId,
  type Theme,
  type ThemeMode,
} from '@postern/protocol'
import type { ChainAdapter } from '../chains/adapter'
import { eip155 } from '../chains/eip155'
import { configureNetworks } from '../chains/networks'
import type { WalletEvent } from '../connectors/connector'
import { createPageWalletConnector } from '../connectors/page-wallet'
import { createPageWallets } from '../connectors/page-wallets'
import { LinkFailure } from '../link/failure'
import type { HostLink } from '../link/host-link'
import type { HostHandlers } from '../link/host-methods'
import type { Clock } from '../services/clock'
import { createDirectoryClient } from '../services/directory'
import type { HttpClient } from '../services/http'
import { createJsonRpcClient, type JsonRpcClient } from '../services/json-rpc'
import { createHostStorage } from '../services/storage'
import { createBalanceWatch } from './balance'
import { createConnectAttempts } from './connect-attempt'
import { createConnectRequest } from './connect-request'
import type { HostActions, HostDirectory } from './contract'
import type { HostDependencies } from './dependencies'
import { createDiagnosis } from './diagnosis'
import type { Modal } from './modal'
import { createPublisher } from './publish'
import { createRpc } from './rpc'
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
  readonly dependencies: Pick<HostDependencies, 'fetch' | 'frameStorage'> & { readonly clock: Clock }
}

const adapters: ReadonlyMap<Namespace, ChainAdapter> = new Map([['eip155', eip155]])

export function createPageSession(options: PageSessionOptions): PageSession {
  const { init, link, project, http, store, modal } = options
  const { clock, fetch } = options.dependencies
  if (init.projectId !== project.projectId) throw new LinkFailure('INVALID_PROJECT_ID')

  const networks = configureNetworks(init.networks, {
    additional: project.networks,
    gatewayEndpoint: (id) => http.url('/v1/', { chainId: id }),
    imageUrl: (id) => http.url(`/public/getAssetImage/${encodeURIComponent(id)}`),
  })
  const [defaultNetwork] = networks.list
  const [missing] = networks.unknown
  if (defaultNetwork === undefined) throw new LinkFailure('SWITCH_NETWORK_NOT_FOUND', { data: { network: missing } })
  if (missing !== undefined) modal.alert('SWITCH_NETWORK_NOT_FOUND', { network: missing })
  const usedNamespaces = [...new Set(networks.list.map(({ chainNamespace }) => chainNamespace))]

  const storage = createHostStorage({
    frameStorage: options.dependencies.frameStorage,
    projectId: project.projectId,
    origin: options.origin,
    stored: init.stored,
    keepInPage: (key, value) => void link.request('store', { key, value }).catch(() => {}),
  })
  const stored = createSessionStore(storage)
  const pageWallets = createPageWallets(clock)
  pageWallets.replace(init.pageWallets)

  const rpcClients = new Map<CaipNetworkId, JsonRpcClient>()
  function rpcOf(id: CaipNetworkId): JsonRpcClient {
    const client = rpcClients.get(id) ?? createJsonRpcClient({ endpoints: networks.endpoints(id), fetch, clock })
    rpcClients.set(id, client)
    return client
  }

  function connectorOf(wallet: PageWallet) {
    const adapter = adapters.get(wallet.namespace)
    if (adapter === undefined || !usedNamespaces.includes(wallet.namespace)) return undefined
    return createPageWalletConnector(wallet, {
      adapter,
      ask: (request, settings) => link.request('walletRequest', request, settings),
      onWalletEvent: pageWallets.onEvent,
    })
  }

  /* The state as it was left, before anything is asked. */
  const left = stored.activeNetwork()
  store.setState({
    ready: true,
    theme: init.theme ?? {},
    themeMode: themeModeOf(init.theme ?? {}, init.colorScheme),
    metadata: init.metadata ?? null,
    networks: networks.list,
    activeNetworkId: left !== null && networks.get(left) ? left : defaultNetwork.caipNetworkId,
    ...(init.locale !== undefined && { locale: init.locale }),
  })
  const sessions = createSessions({
    store: stored,
    pageWallets,
    connectorOf,
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
    directory: createDirectoryClient(http),
  })
  const attempts = createConnectAttempts({
    store,
    clock,
    sessions,
    connectorById(id) {
      const wallet = pageWallets.list().find((candidate) => candidate.id === id)
      return wallet && connectorOf(wallet)
    },
    onConnected({ id, name }) {
      stored.addRecent({ id, name })
      walletList.refresh()
    },
    onDone() {
      attempts.cancel()
      if (isUnsupported()) modal.open('UnsupportedChain')
      else modal.close()
    },
  })
  const balance = createBalanceWatch({
    store,
    clock,
    adapterOf: ({ chainNamespace }) => adapters.get(chainNamespace),
    rpcOf: ({ caipNetworkId }) => rpcOf(caipNetworkId),
  })
  const networkSwitch = createNetworkSwitch({ store, sessions, setActive })
  const stopClosing = modal.onClose(attempts.cancel)
  sessions.sync()
  // Begins last: the answer to `init` is the first state, and says already who is being found again.
  const publisher = createPublisher(store, (state) => link.emit('state', state))

  function onConnectionChange(namespace: Namespace, connection: Connection, cause: Cause): void {
    const snapshot = store.getState()
    const before = snapshot.connections[namespace]
    const active = snapshot.activeNetworkId
    const isActive = active !== null && parseCaipNetworkId(active).namespace === namespace
    const connected = connection.status === 'disconnected' ? undefined : connection.networkId
    store.setState({
      connections: { ...snapshot.connections, [namespace]: connection },
      activeNetworkId: connected && (isActive || cause === 'visitor') ? connected : ownActive(active),
    })
    const { activeNetworkId } = store.getState()
    if (connection.status === 'connected' && activeNetworkId && networks.get(activeNetworkId))
      stored.keepActiveNetwork(activeNetworkId)

    const isNow = connection.status === 'connected' && connection.unsupported === true
    const was = before?.status === 'connected' && before.unsupported === true
    if (isNow && !was && cause === 'wallet') modal.open('UnsupportedChain')
    if (was && connection.status === 'connected' && !isNow && store.getState().opening.view === 'UnsupportedChain')
      modal.close()
  }

  /** A network that is not configured is only ever active while a wallet is on it. */
  function ownActive(active: CaipNetworkId | null): CaipNetworkId | null {
    if (active === null || networks.get(active)) return active
    const isHeld = Object.values(store.getState().connections).some(
      (connection) => connection !== undefined && 'networkId' in connection && connection.networkId === active,
    )
    return isHeld ? active : (defaultNetwork?.caipNetworkId ?? null)
  }

  function setActive(id: CaipNetworkId): void {
    store.setState({ activeNetworkId: id })
    stored.keepActiveNetwork(id)
  }

  function isUnsupported(): boolean {
    return namespaces.some((namespace) => {
      const connection = sessions.connection(namespace)
      return connection.status === 'connected' && connection.unsupported === true
    })
  }

  async function disconnect(namespace?: Namespace): Promise<void> {
    const ended = namespace === undefined ? usedNamespaces : [namespace]
    await Promise.all(ended.map((name) => sessions.disconnect(name)))
  }

  function resync(): void {
    sessions.sync()
    walletList.refresh()
    const elsewhere = stored.activeNetwork()
    const isHeld = usedNamespaces.some((namespace) => sessions.connection(namespace).status !== 'disconnected')
    if (!isHeld && elsewhere !== null && networks.get(elsewhere)) store.setState({ activeNetworkId: elsewhere })
  }

  return {
    handlers: {
      init: publisher.state,
      open: ({ view }) => {
        modal.open(view)
        return null
      },
      close: () => {
        if (!modal.close()) throw new LinkFailure('CLOSE_REFUSED')
        return null
      },
      connect: createConnectRequest({ store, sessions, modal, namespaces: usedNamespaces }),
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
      rpc: createRpc({
        onApproved: balance.refresh,
        networks,
        sessions,
        adapterOf: (name) => adapters.get(name),
        rpcOf,
        activeNetworkId: () => store.getState().activeNetworkId,
      }),
      peerChanged: ({ stored: kept }) => {
        storage.reload(kept)
        resync()
        return null
      },
      ping: () => null,
      diagnose: createDiagnosis({ http, storage, network: defaultNetwork, rpc: rpcOf(defaultNetwork.caipNetworkId) }),
    },
    actions: {
      connect: attempts.begin,
      retryConnect: attempts.retry,
      cancelConnect: attempts.cancel,
      async disconnect(namespace) {
        try {
          await disconnect(namespace)
          modal.close()
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
    onStorage(key) {
      if (storage.place === 'frame' && storage.owns(key)) resync()
    },
    end() {
      stopClosing()
      attempts.cancel()
      networkSwitch.end()
      sessions.end()
      balance.end()
      walletList.end()
      publisher.end()
    },
  }
}

function themeModeOf(theme: Theme, colorScheme: ThemeMode): ThemeMode {
  return theme.mode === 'light' || theme.mode === 'dark' ? theme.mode : colorScheme
}
