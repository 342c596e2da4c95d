import { onceLoaded } from '@postern/base/once-loaded'
import type { HostParams } from '@postern/protocol'
import { notLoaded } from '@postern/protocol/failure'
import { createConnectRequest } from '../connections/connect/connect-request'
import { createWalletChoice } from '../connections/connect/wallet-choice'
import { createWalletActions } from '../connections/wallet-actions'
import { createEmbeddedStore } from '../connectors/embedded/stored'
import { createEmbeddedAccess } from '../embedded/embedded-access'
import type { BegunPage } from '../page-link/host-link'
import { createSignInAccess } from '../sign-in-with-wallet/access'
import type { HostActions, ModalActions } from '../snapshot/actions'
import type { HostDirectory } from '../snapshot/host'
import type { MoneyHost } from '../snapshot/money'
import type { SnapshotStore } from '../snapshot/store'
import { whenOpen } from '../snapshot/when-open'
import { createOpener } from './opener'
import { createPageConnections } from './page-connections'
import { createPageHandlers } from './page-handlers'
import type { PageServices } from './page-services'
import { type PageSessionOptions, setUpPage } from './page-setup'
import { createPublisher } from './publish'
import { createServiceActions } from './service-actions'
import { publishWalletInfo } from './wallet-info'

/** Lives from `init` to the end of the page's link. */
export type PageSession = BegunPage & {
  readonly actions: Omit<HostActions, keyof ModalActions>
  readonly directory: HostDirectory
  money(): Promise<MoneyHost>
  onStorage(key: string | null): void
  prefetch(): Promise<unknown>
  end(): void
}

export function createPageSession(options: PageSessionOptions): PageSession {
  const { init, link, project, store, modal, dependencies } = options
  const { clock } = dependencies
  const setup = setUpPage(options)
  const { networks, namespaces, storage, pageWallets, metadata } = setup
  let isEnded = false

  const connections = createPageConnections(options, setup, {
    embedded: () => embedded.session.load(),
    onConnection: (namespace, connection) => signIn?.onConnection(namespace, connection),
    onSignIn: (event) => services.send((code) => code.onSignIn(event)),
  })
  const { sessions, active, multi, walletList, leave } = connections
  const services = onceLoaded<PageServices>(
    async () => {
      const { createPageServices, fixes } = await import('./page-services').catch(notLoaded)
      link.setFixes(fixes)
      const made = createPageServices({
        ...{ page: options, setup, connections },
        connect: connectRequest,
        identityToken: (...args) => embedded.session.call((code) => code.identityToken(...args)),
        untilSignInKnown: async () => signIn?.settled(),
        onRefused() {
          embedded.session.notify(({ approvals }) => approvals.rejectAll())
          opener.open()
        },
      })
      if (isEnded) made.end()
      return made
    },
    // Only a user who has the modal open can read it.
    () => store.getState().open && modal.alert('LOAD_FAILED'),
  )
  const refreshBalance = () => services.notify(({ balance }) => balance.refresh())
  const choice = createWalletChoice(store, services, () => embedded.leaveSignIn())
  const embedded = createEmbeddedAccess({
    store,
    modal,
    wallet: project.wallet,
    powers: dependencies.clickPowers,
    rest: {
      clock,
      dependencies,
      projectId: project.projectId,
      storage,
      defaultAccount: init.accounts?.eip155 === 'smart' ? 'smartAccount' : init.accounts?.eip155,
      networks,
      clientOf: setup.gatewayClientOf,
      sessions,
      active,
      metadata,
      openTab: (url) => link.request('openLink', { url, target: 'tab' }),
      cancelConnect: choice.cancel,
      refreshBalance,
      onReplaced: (hash, ended) => services.notify(({ money }) => money.settled(hash, ended)),
    },
  })
  const opener = createOpener({
    store,
    modal,
    begin: choice.begin,
    surroundings: {
      isMobile: dependencies.isMobile,
      isExternal: (id) => connections.walletById(id)?.type === 'EXTERNAL',
    },
    isWalletConnectOffered: multi.isOffered,
    warn: dependencies.warn,
  })
  const walletActions = createWalletActions({
    ...{ store, modal, networks, sessions, active, walletList, multi, choice, services, leave },
  })
  const connectRequest = createConnectRequest({
    store,
    sessions,
    modal,
    namespaces,
    openConnect(params) {
      const { namespace, wallet } = params
      walletActions.want(namespace !== undefined && namespaces.length > 1 ? namespace : null)
      wantMethod(store, params)
      if (wallet === undefined) opener.openConnect()
      else opener.openNamedWallet(wallet, walletList.find)
    },
  })
  const signIn =
    init.signIn === undefined
      ? null
      : createSignInAccess({
          load: () => services.call((code) => code.signInPrompts()),
          clock,
          async onLost(namespace) {
            if (sessions.connection(namespace).status !== 'connected') return
            await leave(namespace).catch(ignore)
            whenOpen(store, () => modal.notifyFailure('SIWX_INIT_FAILED'))
          },
        })
  const stopClosing = modal.onClose(() => {
    choice.cancel()
    walletActions.want(null)
  })
  sessions.sync()
  // Last: the response to `init` is the first state, including sessions being restored.
  const publisher = createPublisher(store, (state) => link.emit('state', state))
  const { social } = createEmbeddedStore(storage)
  const endWalletInfo = publishWalletInfo(store, social, (infos) => link.emit('walletInfo', infos))

  return {
    state: publisher.state,
    handlers: createPageHandlers({
      ...{ page: options, setup, connections, services, opener },
      connect: connectRequest,
      choose(namespace) {
        walletActions.want(namespaces.length > 1 && namespaces.includes(namespace) ? namespace : null)
        walletActions.activate(namespace)
        return sessions.connection(namespace).status === 'connected'
      },
    }),
    events: {
      pageWallets({ pageWallets: wallets }) {
        connections.setPageWallets(wallets)
        services.notify(({ attempts }) => attempts.onPageWallets(new Set(wallets.map(({ id }) => id))))
      },
      walletEvent: pageWallets.dispatch,
      transacted: refreshBalance,
      signInChanged: () => signIn?.prompts.notify((prompts) => prompts.lookAgain()),
      dismiss: () => void modal.close(),
    },
    actions: { ...walletActions, ...createServiceActions(services, signIn), ...embedded.actions },
    directory: walletList.directory,
    money: onceLoaded(async () => (await services.load()).money).load,
    onStorage(key) {
      if (storage.place === 'frame' && storage.owns(key)) connections.resync()
    },
    prefetch: services.load,
    end() {
      isEnded = true
      stopClosing()
      choice.cancel()
      signIn?.end()
      services.notify((code) => code.end())
      embedded.end()
      connections.end()
      publisher.end()
      endWalletInfo()
    },
  }
}

function wantMethod(store: SnapshotStore, { social, email }: HostParams<'connect'>): void {
  const { signInMethods } = store.getState()
  if (social !== undefined && signInMethods.socials.includes(social))
    store.setState({ wantedMethod: { kind: 'social', provider: social } })
  if (email !== undefined && signInMethods.email) store.setState({ wantedMethod: { kind: 'email', email } })
}

function ignore(): void {}
