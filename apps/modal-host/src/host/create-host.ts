import { Failure } from '@postern/protocol/failure'
import { embeddedActions } from '../embedded/embedded-access'
import { acceptHandshake } from '../page-link/handshake'
import { createHostLink } from '../page-link/host-link'
import type { HostHandlers } from '../page-link/host-methods'
import { createHttpClient } from '../services/http'
import type { Host } from '../snapshot/contract'
import { createModal } from '../snapshot/modal'
import { createSnapshotStore } from '../snapshot/store'
import type { HostDependencies } from './dependencies'
import { createPageSession, type PageSession } from './page-session'

export { browserDependencies, type HostDependencies } from './dependencies'

/**
 * The modal host without its views.
 *
 * `start()` knocks at the embedding page and returns a function that ends everything. `prefetch()` loads the code for a
 * visible modal ahead of its first use.
 *
 * @example
 * const host = createHost(browserDependencies(window))
 * const stop = host.start()
 * host.store.subscribe(render)
 */
export function createHost(dependencies: HostDependencies): Host & { start(): () => void; prefetch(): Promise<void> } {
  const { window, project, clock } = dependencies
  const isTopLevel = Object.is(window.parent, window)
  const store = createSnapshotStore({
    themeMode: dependencies.themeMode,
    locale: dependencies.locale,
    walletCount: project?.walletCount ?? null,
    isTopLevel,
  })
  const modal = createModal(store)
  let page: PageSession | null = null

  function start(): () => void {
    if (isTopLevel) return () => {}
    if (project === null) {
      modal.alert('PROJECT_ID_NOT_CONFIGURED')
      return () => {}
    }
    let endLink = () => {}
    const onStorage = (event: StorageEvent) => page?.onStorage(event.key)
    window.addEventListener('storage', onStorage)
    const stopListening = acceptHandshake({
      window,
      project,
      hostVersion: project.gatewayVersion,
      onAccepted({ port, origin, sdk }) {
        const http = createHttpClient({
          fetch: dependencies.fetch,
          clock,
          randomId: dependencies.randomId,
          baseUrl: dependencies.baseUrl,
          identity: () => ({ projectId: project.projectId, st: 'postern', sv: sdk }),
        })
        const link = createHostLink({
          port,
          clock,
          randomId: dependencies.randomId,
          checked: dependencies.checked,
          handlers: deferTo(
            () => page?.handlers,
            (init) => {
              page = createPageSession({ init, origin, link, project, http, store, modal, dependencies })
              return page.handlers
            },
          ),
          events: {
            pageWallets: ({ pageWallets }) => page?.onPageWallets(pageWallets),
            walletEvent: (event) => page?.onWalletEvent(event),
            transacted: () => page?.onTransacted(),
            signInChanged: () => page?.onSignInChanged(),
            dismiss: () => void modal.close(),
          },
          onEnd() {
            page?.end()
            page = null
            store.setState({ open: false })
          },
        })
        endLink = link.end
      },
    })
    return () => {
      stopListening()
      window.removeEventListener('storage', onStorage)
      endLink()
    }
  }

  return {
    store,
    start,
    async prefetch() {
      await page?.prefetch()
    },
    actions: {
      close: () => void modal.close(),
      connect: (row, namespace) => page?.actions.connect(row, namespace),
      connectEntry: (entry) => page?.actions.connectEntry(entry),
      openWalletLink: (kind) => page?.actions.openWalletLink(kind),
      preparePairing: () => page?.actions.preparePairing(),
      retryConnect: () => page?.actions.retryConnect(),
      cancelConnect: () => page?.actions.cancelConnect(),
      activate: (namespace) => page?.actions.activate(namespace),
      want: (namespace) => page?.actions.want(namespace),
      disconnect: async (namespace) => page?.actions.disconnect(namespace),
      switchNetwork: async (networkId) => page?.actions.switchNetwork(networkId),
      refreshBalance: () => page?.actions.refreshBalance(),
      acceptLegal: (accepted) => store.setState(({ legal }) => ({ legal: legal && { ...legal, accepted } })),
      consent: (allowed) => page?.actions.consent(allowed),
      settlePayment: (receipt) => page?.actions.settlePayment(receipt),
      notify: modal.notify,
      dismissAlert: modal.dismissAlert,
      signInWithWallet: () => page?.actions.signInWithWallet(),
      cancelSignInWithWallet: () => page?.actions.cancelSignInWithWallet(),
      ...embeddedActions(() => page?.embedded),
    },
    // Views suspend on this promise; a new one per render would suspend again.
    money: () => page?.money() ?? Promise.reject(new Failure('LINK_CLOSED')),
    directory: {
      async wallets(query, signal) {
        if (page === null) throw new Failure('LINK_CLOSED')
        return page.directory.wallets(query, signal)
      },
      imageUrl: (entry) => page?.directory.imageUrl(entry),
    },
  }
}

/** The page session exists only after `init`. */
function deferTo(
  current: () => HostHandlers | undefined,
  begin: (init: Parameters<HostHandlers['init']>[0]) => HostHandlers,
): HostHandlers {
  function now(): HostHandlers {
    const handlers = current()
    if (handlers === undefined) throw new Failure('CLIENTS_NOT_SET')
    return handlers
  }
  return {
    init: (params, signal) => begin(params).init(params, signal),
    open: (params, signal) => now().open(params, signal),
    close: (params, signal) => now().close(params, signal),
    connect: (params, signal) => now().connect(params, signal),
    pay: (params, signal) => now().pay(params, signal),
    disconnect: (params, signal) => now().disconnect(params, signal),
    switchNetwork: (params, signal) => now().switchNetwork(params, signal),
    setTheme: (params, signal) => now().setTheme(params, signal),
    rpc: (params, signal) => now().rpc(params, signal),
    peerChanged: (params, signal) => now().peerChanged(params, signal),
    ping: (params, signal) => now().ping(params, signal),
    diagnose: (params, signal) => now().diagnose(params, signal),
  }
}
