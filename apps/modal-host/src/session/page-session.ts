import {
  type CaipNetworkId,
  type Connection,
  errors,
  type Init,
  type Namespace,
  type Network,
  type PageWallet,
  type ProjectPage,
  resolveNetwork,
  type Theme,
  type ThemeMode,
} from '@postern/protocol'
import { createChainClients } from '../chains/chain-client'
import { configureNetworks } from '../chains/networks'
import type { WalletEvent } from '../connectors/connector'
import { createPageConnector } from '../connectors/page-connector'
import { createPageWallets } from '../connectors/page-wallets'
import type { MoneyHost } from '../features/contract'
import { LinkFailure } from '../link/failure'
import type { HostLink } from '../link/host-link'
import type { HostHandlers } from '../link/host-methods'
import { createDirectoryClient } from '../services/directory'
import type { HttpClient } from '../services/http'
import { deferred, lazily } from '../services/lazily'
import { createHostStorage } from '../services/storage'
import { createActiveNetwork } from './active-network'
import { createConnectRequest } from './connect-request'
import type { HostActions, HostDirectory, WalletRow } from './contract'
import type { HostDependencies } from './dependencies'
import { createEmbeddedAccess, type EmbeddedAccess, type EmbeddedActionName } from './embedded-access'
import { featuresOf } from './features'
import type { Modal } from './modal'
import { createMultiAccess } from './multi'
import { createOpener } from './opener'
import { heldConnection, isUnsupported } from './opening'
import { createPublisher } from './publish'
import { type Cause, createSessions } from './sessions'
import type { SnapshotStore } from './snapshot'
import { createSessionStore } from './stored'
import { createWalletList } from './wallet-list'

/** Everything that lives as long as one page's link: sessions, networks, wallets. Made by `init`, ended with the link. */
export type PageSession = {
  readonly handlers: HostHandlers
  readonly actions: Omit<HostActions, 'close' | 'notify' | 'dismissAlert' | EmbeddedActionName>
  readonly embedded: EmbeddedAccess
  readonly directory: HostDirectory
  money(): Promise<MoneyHost>
  onPageWallets(wallets: readonly PageWallet[]): void
  onWalletEvent(event: WalletEvent): void
  /** A wallet of the page sent a transaction. */
  onTransacted(): void
  /** Another tab wrote the frame's storage. */
  onStorage(key: string | null): void
  /** Fetches what is needed once something is on show. */
  prefetch(): Promise<unknown>
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
  readonly dependencies: HostDependencies
}

export function createPageSession(options: PageSessionOptions): PageSession {
  const { init, link, project, http, store, modal, dependencies } = options
  const { clock, fetch } = dependencies
  if (init.projectId !== project.projectId) throw new LinkFailure('INVALID_PROJECT_ID')

  const gatewayEndpoint = (id: CaipNetworkId) =>
    id.startsWith('bip122:') ? http.url(`/v1/esplora/${id}`) : http.url('/v1/', { chainId: id })
  const networks = configureNetworks(init.networks, {
    additional: project.networks,
    gatewayEndpoint,
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
  // For what is read before money moves: a dapp's own endpoints and definitions would say of it what the dapp likes.
  const gatewayClientOf = createChainClients({ networks: { endpoints: (id) => [gatewayEndpoint(id)] }, fetch, clock })
  const features = featuresOf(init.features, project.features)

  /* The state as it was left, before anything is asked. */
  store.setState({
    ready: true,
    theme: init.theme ?? {},
    themeMode: themeModeOf(init.theme ?? {}, init.colorScheme),
    metadata: init.metadata ?? null,
    networks: networks.list,
    namespaces: usedNamespaces,
    features,
    money: project.money,
    legal: init.legal ?? {},
    walletKept: project.wallet !== null && stored.isWalletKept(),
    ...(init.locale !== undefined && { locale: init.locale }),
  })
  const active = createActiveNetwork({ store, stored, networks, first: defaultNetwork.caipNetworkId })
  const metadata = {
    name: init.metadata?.name ?? project.name,
    description: init.metadata?.description ?? '',
    url: options.origin,
    icons: init.metadata?.icons ?? [],
  }
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
            clock,
            clientOf,
            normalise: async (namespace, addresses) =>
              (await (await import('../chains/adapters')).loadAdapter(namespace)).normaliseAddresses(addresses),
            preferredNetwork: active.preferred,
          }),
  )
  const sessions = createSessions({
    store: stored,
    pageWallets,
    connectorOf,
    multi: multi.get,
    embedded: () => embedded.get(),
    isConfigured: (id) => networks.get(id) !== undefined,
    onChange: onConnectionChange,
    onStored: () => link.emit('sessionChanged', null),
  })
  const walletList = createWalletList({
    store,
    init,
    project: { ...project, features },
    pageWallets,
    recent: stored.recent,
    namespaces: usedNamespaces,
    chains: networks.list.map(({ caipNetworkId }) => caipNetworkId),
    isWalletConnectOffered: multi.isOffered,
    directory: createDirectoryClient(http),
  })
  let isEnded = false
  /** Counts what the visitor began and left, so that what arrives late is known for late. */
  let begun = 0
  const later = deferred(async () => {
    const made = (await import('./later')).createLater({
      store,
      clock,
      link,
      modal,
      http,
      storage,
      stored,
      networks,
      defaultNetwork,
      clientOf,
      gatewayClientOf,
      projectId: project.projectId,
      randomId: dependencies.randomId,
      sessions,
      active,
      walletList,
      connectorById,
      multi,
      isMobile: dependencies.isMobile,
      onRefused() {
        embedded.peek()?.approvals.rejectAll()
        opener.open()
      },
    })
    if (isEnded) made.end()
    return made
  })
  const embedded = createEmbeddedAccess({
    store,
    modal,
    wallet: project.wallet,
    powers: dependencies.clickPowers,
    load: async () => (await import('./embedded-session')).createEmbeddedSession,
    rest: {
      clock,
      dependencies,
      projectId: project.projectId,
      storage,
      networks,
      clientOf: gatewayClientOf,
      nativeCurrencyOf: (id) => resolveNetwork(id, project.networks)?.nativeCurrency,
      sessions,
      active,
      metadata,
      openTab: (url) => link.request('openLink', { url, target: 'tab' }),
      cancelConnect: cancel,
      refreshBalance,
    },
  })
  const opener = createOpener({
    store,
    modal,
    begin,
    surroundings: { isMobile: dependencies.isMobile, isExternal: (id) => walletById(id)?.type === 'EXTERNAL' },
    isWalletConnectOffered: multi.isOffered,
  })
  const money = lazily(async () => (await later.get()).money)
  const stopClosing = modal.onClose(() => {
    cancel()
    want(null)
  })
  sessions.sync()
  // Begins last: the answer to `init` is the first state, and says already who is being found again.
  const publisher = createPublisher(store, (state) => link.emit('state', state))

  function walletById(id: string): PageWallet | undefined {
    return pageWallets.list().find((wallet) => wallet.id === id)
  }

  function connectorById(id: string) {
    const wallet = walletById(id)
    return wallet && connectorOf(wallet)
  }

  function connectorOf(wallet: PageWallet) {
    const { namespace } = wallet
    if (!usedNamespaces.includes(namespace)) return undefined
    return createPageConnector(wallet, walletList.isMulti(wallet.id), {
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

  function refreshBalance(): void {
    later.peek()?.balance.refresh()
  }

  function want(wantedNamespace: Namespace | null): void {
    if (store.getState().wantedNamespace !== wantedNamespace) store.setState({ wantedNamespace })
  }

  async function disconnect(ended: readonly Namespace[] = usedNamespaces): Promise<void> {
    await Promise.all(ended.map((name) => sessions.disconnect(name)))
  }

  const isEmbedded = (namespace?: Namespace) => !!namespace && sessions.connector(namespace)?.type === 'AUTH'

  function resync(): void {
    sessions.sync()
    walletList.refresh()
    active.sync()
  }

  function begin(row: WalletRow, namespace?: Namespace): void {
    begun += 1
    const mine = begun
    const loaded = later.peek()
    if (loaded !== null) {
      loaded.attempts.begin(row, namespace)
      return
    }
    later.get().then(
      ({ attempts }) => {
        if (mine === begun) attempts.begin(row, namespace)
      },
      () => {
        const { message } = new LinkFailure('INTERNAL')
        if (mine === begun)
          store.setState({
            connectAttempt: { row, via: 'page', status: { kind: 'failed', code: 'INTERNAL', message }, retryAt: 0 },
          })
      },
    )
  }

  function retry(): void {
    const { connectAttempt } = store.getState()
    const loaded = later.peek()
    if (loaded !== null) loaded.attempts.retry()
    else if (connectAttempt !== null) begin(connectAttempt.row)
  }

  function cancel(): void {
    begun += 1
    later.peek()?.attempts.cancel()
    if (store.getState().connectAttempt !== null) store.setState({ connectAttempt: null })
  }

  async function switchNetwork(network: Network | undefined, signal?: AbortSignal): Promise<void> {
    await (await later.get()).networkSwitch.to(network, signal)
  }

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
        await disconnect(namespace && [namespace])
        return null
      },
      switchNetwork: async ({ network }, signal) => {
        await switchNetwork(networks.find(network), signal)
        return null
      },
      setTheme: ({ theme, colorScheme }) => {
        store.setState({ theme, themeMode: themeModeOf(theme, colorScheme) })
        return null
      },
      rpc: async (params, signal) => (await later.get()).rpc(params, signal),
      peerChanged: ({ stored: kept }) => {
        storage.reload(kept)
        resync()
        return null
      },
      ping: () => null,
      diagnose: async (params, signal) => (await later.get()).diagnose(params, signal),
    },
    actions: {
      connect: begin,
      connectEntry: (entry) => begin(walletList.rowOf(entry)),
      openWalletLink: (kind) => later.peek()?.attempts.openWalletLink(kind),
      preparePairing: multi.prepare,
      retryConnect: retry,
      cancelConnect: cancel,
      activate(namespace) {
        const connection = sessions.connection(namespace)
        if (connection.status === 'connected') active.set(connection.networkId)
      },
      want,
      async disconnect(namespace) {
        try {
          await disconnect(isEmbedded(namespace) ? usedNamespaces.filter(isEmbedded) : namespace && [namespace])
          if (heldConnection(store.getState()) === null) modal.close()
        } catch {
          modal.notify(errors.DISCONNECT_FAILED.message, 'bad')
        }
      },
      switchNetwork: (id) => switchNetwork(networks.get(id)),
      refreshBalance,
    },
    embedded,
    money,
    directory: walletList.directory,
    onPageWallets(wallets) {
      pageWallets.replace(wallets)
      walletList.refresh()
      later.peek()?.attempts.onPageWallets(new Set(wallets.map(({ id }) => id)))
    },
    onWalletEvent: pageWallets.dispatch,
    onTransacted: refreshBalance,
    onStorage(key) {
      if (storage.place === 'frame' && storage.owns(key)) resync()
    },
    prefetch: later.get,
    end() {
      isEnded = true
      stopClosing()
      cancel()
      later.peek()?.end()
      embedded.end()
      sessions.end()
      multi.end()
      walletList.end()
      publisher.end()
    },
  }
}

function themeModeOf(theme: Theme, colorScheme: ThemeMode): ThemeMode {
  return theme.mode === 'light' || theme.mode === 'dark' ? theme.mode : colorScheme
}
