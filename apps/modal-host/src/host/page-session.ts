import { type Connection, type Namespace, type Network, type PageWallet, resolveNetwork } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { deferred, lazily } from '@postern/protocol/lazily'
import { createActiveNetwork } from '../connections/active-network'
import { createConnectRequest } from '../connections/connect-request'
import { createMultiAccess } from '../connections/multi'
import { type Cause, createSessions } from '../connections/sessions'
import { createWalletList } from '../connections/wallet-list'
import type { WalletEvent } from '../connectors/connector'
import { createPageConnector } from '../connectors/page-connector'
import { createEmbeddedAccess, type EmbeddedAccess, type EmbeddedActionName } from '../embedded/embedded-access'
import type { HostHandlers } from '../page-link/host-methods'
import { createDirectoryClient } from '../services/directory'
import { createSignInAccess } from '../sign-in-with-wallet/access'
import type { HostActions, HostDirectory } from '../snapshot/contract'
import { isLegalDue } from '../snapshot/features'
import type { MoneyHost } from '../snapshot/money'
import { heldConnection, isUnsupported } from '../snapshot/opening'
import { whenOpen } from '../snapshot/when-open'
import { createBeginning } from './beginning'
import { loadParts } from './load-parts'
import { createOpener } from './opener'
import { type PageSetupOptions, setUpPage, themeModeOf } from './page-setup'
import { createPublisher } from './publish'

export type PageSessionOptions = PageSetupOptions

/** Lives from `init` to the end of the page's link. */
export type PageSession = {
  readonly handlers: HostHandlers
  readonly actions: Omit<HostActions, 'close' | 'notify' | 'dismissAlert' | 'acceptLegal' | EmbeddedActionName>
  readonly embedded: EmbeddedAccess
  readonly directory: HostDirectory
  money(): Promise<MoneyHost>
  onPageWallets(wallets: readonly PageWallet[]): void
  onWalletEvent(event: WalletEvent): void
  onTransacted(): void
  onSignInChanged(): void
  onStorage(key: string | null): void
  prefetch(): Promise<unknown>
  end(): void
}

export function createPageSession(options: PageSessionOptions): PageSession {
  const { init, link, project, http, store, modal, dependencies } = options
  const { clock } = dependencies
  const setup = setUpPage(options)
  const {
    networks,
    defaultNetwork,
    namespaces: usedNamespaces,
    features,
    storage,
    stored,
    pageWallets,
    metadata,
  } = setup
  const { clientOf, gatewayClientOf } = setup
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
            clock,
            clientOf,
            normalise: async (namespace, addresses) =>
              (await (await loadParts()).adapter(namespace)).normaliseAddresses(addresses),
            preferredNetwork: active.preferred,
            page: { init, link, modal, onSignIn: (event) => later.peek()?.onSignIn(event) },
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
      openPopup: dependencies.clickPowers.openPopup,
      origin: options.origin,
      isAnalyticsOn: features.analytics,
      sessions,
      active,
      walletList,
      connectorById,
      multi,
      isMobile: dependencies.isMobile,
      connect: (params, signal) => connectRequest(params, signal),
      untilSignInKnown: async () => signIn?.settled(),
      onRefused() {
        embedded.peek()?.approvals.rejectAll()
        opener.open()
      },
    })
    if (isEnded) made.end()
    return made
  })
  const { begin, retry, cancel } = createBeginning(store, later)
  const embedded = createEmbeddedAccess({
    store,
    modal,
    wallet: project.wallet,
    powers: dependencies.clickPowers,
    load: async () => (await import('./later')).loadEmbeddedSession(),
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
  const connectRequest = createConnectRequest({
    store,
    sessions,
    modal,
    namespaces: usedNamespaces,
    openConnect(namespace) {
      want(namespace !== undefined && usedNamespaces.length > 1 ? namespace : null)
      opener.openConnect()
    },
  })
  const signIn =
    init.signIn === undefined
      ? null
      : createSignInAccess({
          load: async () => (await later.get()).signInPrompts(init, leave),
          clock,
          async onLost(namespace) {
            if (sessions.connection(namespace).status !== 'connected') return
            await leave(namespace).catch(ignore)
            whenOpen(store, () => modal.notifyFailure('SIWX_INIT_FAILED'))
          },
        })
  const money = lazily(async () => (await later.get()).money)
  const stopClosing = modal.onClose(() => {
    cancel()
    want(null)
  })
  sessions.sync()
  // Last: the response to `init` is the first state, including sessions being restored.
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
    signIn?.onConnection(namespace, connection)
  }

  /** Lists may be read before accepting the terms. */
  function beginIfAccepted(...chosen: Parameters<typeof begin>): void {
    if (isLegalDue(store.getState())) modal.open('Connect')
    else begin(...chosen)
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

  /** The embedded wallet signs out of all its namespaces. */
  const leave = (namespace?: Namespace) =>
    disconnect(isEmbedded(namespace) ? usedNamespaces.filter(isEmbedded) : namespace && [namespace])

  const isEmbedded = (namespace?: Namespace) => !!namespace && sessions.connector(namespace)?.type === 'AUTH'

  function resync(): void {
    sessions.sync()
    walletList.refresh()
    active.sync()
  }

  async function switchNetwork(network: Network | undefined, signal?: AbortSignal): Promise<void> {
    await (await later.get()).networkSwitch.to(network, signal)
  }

  return {
    handlers: {
      init: publisher.state,
      open: ({ view, swap }) => {
        opener.open(view, swap)
        return null
      },
      close: () => {
        if (!modal.close()) throw new Failure('CLOSE_REFUSED')
        return null
      },
      connect: connectRequest,
      pay: async (params, signal) => (await later.get()).payments.pay(params, signal),
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
      connect: beginIfAccepted,
      connectEntry: (entry) => beginIfAccepted(walletList.rowOf(entry)),
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
        const { key } = store.getState().opening
        try {
          await leave(namespace)
          const now = store.getState()
          // A slow disconnect: the user may be connecting another by then.
          const isLeft = now.opening.key === key && now.connectAttempt === null && now.signIn === null
          if (isLeft && heldConnection(now) === null) modal.close()
        } catch {
          modal.notifyFailure('DISCONNECT_FAILED')
        }
      },
      switchNetwork: (id) => switchNetwork(networks.get(id)),
      refreshBalance,
      consent: (allowed) => later.peek()?.consent(allowed),
      settlePayment: (receipt) => later.peek()?.payments.settle(receipt),
      signInWithWallet: () => signIn?.peek()?.sign(),
      cancelSignInWithWallet: () => void signIn?.peek()?.cancel(),
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
    onSignInChanged: () => signIn?.peek()?.lookAgain(),
    onStorage(key) {
      if (storage.place === 'frame' && storage.owns(key)) resync()
    },
    prefetch: later.get,
    end() {
      isEnded = true
      stopClosing()
      cancel()
      signIn?.end()
      later.peek()?.end()
      embedded.end()
      sessions.end()
      multi.end()
      walletList.end()
      publisher.end()
    },
  }
}

function ignore(): void {}
