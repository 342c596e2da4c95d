import type { Clock } from '@postern/base/clock'
import { loadAdapter } from '@postern/chains/adapters'
import {
  type Connection,
  type HostParams,
  isComposedMethod,
  isOpenableLink,
  type ListedWallet,
  limits,
  type Namespace,
  type Profile,
  texts,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { createConnectAttempts } from '../connections/connect/connect-attempt'
import { createNetworkSwitch } from '../connections/switch-network'
import type { Connector } from '../connectors/connector'
import type { EmbeddedSession } from '../embedded/embedded-session'
import { createAnalyticsAccess } from '../features/analytics/analytics-access'
import { createMoneyHost } from '../features/money-host'
import { createBalanceWatch } from '../requests/balance'
import { createConnectionMethods } from '../requests/connection-methods'
import { createDiagnosis } from '../requests/diagnosis'
import { createPayRequest } from '../requests/pay-request'
import { createRemoteRequests } from '../requests/remote-requests'
import { createRequestRouter } from '../requests/request-router'
import { leaveConnecting } from '../snapshot/opening'
import type { WalletRow } from '../snapshot/wallet-row'
import type { PageConnections } from './page-connections'
import { networkNotFound, type PageSessionOptions, type PageSetup } from './page-setup'

export { fixes } from '@postern/protocol/errors/fixes'

export type PageServicesOptions = {
  readonly page: PageSessionOptions
  readonly setup: PageSetup
  readonly connections: PageConnections
  readonly connect: (params: HostParams<'connect'>, signal: AbortSignal) => Promise<Connection>
  readonly identityToken: EmbeddedSession['identityToken']
  /** See `createPayRequest`. */
  readonly untilSignInKnown: () => Promise<unknown>
  readonly onRefused: () => void
}

export function createPageServices(options: PageServicesOptions) {
  const { page, setup, connections } = options
  const { link, modal, http, store, origin, dependencies } = page
  const { clock, randomId } = dependencies
  const { networks, defaultNetwork, storage, stored, clientOf } = setup
  const { sessions, active, walletList, multi } = connections

  const attempts = createConnectAttempts({
    store,
    clock,
    sessions,
    connectorById: connections.connectorById,
    multi: multi.isOffered ? multi.get : null,
    openLink: (opened) => link.request('openLink', opened),
    onLinkFailed: (code) => modal.notifyFailure(code),
    onPairingFailed: (code) => void modal.alertFailure(code),
    onConnected({ id, name, entry }, walletLink) {
      stored.addRecent({ id, name, ...(entry?.rdns && { rdns: entry.rdns }) })
      if (walletLink !== null) stored.keepWalletLink(walletLink)
      walletList.refresh()
    },
    onDone() {
      attempts.cancel()
      leaveConnecting(store, modal)
    },
  })
  const balance = createBalanceWatch({ store, clock, loadAdapter, clientOf, memory: storage })
  const networkSwitch = createNetworkSwitch({
    store,
    sessions,
    setActive: active.set,
    onForeign: () => modal.open('SwitchActiveChain'),
  })

  const notices = createRequestNotices({ store, modal, clock, onRefused: options.onRefused })
  const remote = createRemoteRequests({ store, modal, clock, isShown: isPromptShown(page) })
  const rpc = createRequestRouter({
    duringRequest: remote.during,
    onApproved: balance.refresh,
    onRequested: (connector) => reopenWallet(connector, page, setup),
    onRefused: notices.refused,
    onStandardAccountNeeded: notices.standardAccountNeeded,
    networks,
    sessions,
    loadAdapter,
    clientOf,
    activeNetworkId: () => store.getState().activeNetworkId,
  })
  const askConnection = createConnectionMethods({ sessions, switchTo })
  const composing = { sessions, rpc, networks, clientOf, clock, origin }
  const money = createMoneyHost({
    store,
    sessions,
    http,
    projectId: page.project.projectId,
    origin,
    storage,
    clock,
    randomId,
    clientOf: setup.gatewayClientOf,
    rpc,
    refreshBalance: balance.refresh,
    openPopup: dependencies.clickPowers.openPopup,
  })
  const analytics = createAnalyticsAccess({
    ...{ store, http, storage, modal, clock, randomId, origin },
    isAnalyticsOn: setup.features.analytics,
  })
  const payments = createPayRequest({
    store,
    modal,
    isConfigured: (id) => networks.get(id) !== undefined,
    check: async (request) => (await import('../features/pay/check-payment')).checkPayment(request),
    connect: options.connect,
    untilSignInKnown: options.untilSignInKnown,
  })

  return {
    attempts,
    balance,
    networkSwitch,
    remote,
    switchTo,
    rpc: (params: HostParams<'rpc'>, signal: AbortSignal) =>
      askConnection(params, signal) ?? compose(params, signal) ?? rpc(params, signal),
    money,
    payments,
    async identityToken(params: HostParams<'getIdentityToken'>, signal: AbortSignal) {
      const isEmbedded = (name: Namespace) =>
        sessions.connector(name)?.type === 'AUTH' && sessions.connection(name).status === 'connected'
      const connected = setup.namespaces.filter(isEmbedded)
      if (connected.length === 0) throw new Failure('UNAUTHORIZED')
      return options.identityToken(connected, params, signal)
    },
    async wallets(): Promise<ListedWallet[]> {
      await walletList.listed
      return store.getState().wallets.map(listedWallet)
    },
    async profile(query: HostParams<'getProfile'>, signal: AbortSignal): Promise<Profile> {
      const { readProfile } = await import('../features/identity/profile')
      return readProfile(query, { ...store.getState(), identities: money, http }, signal)
    },
    consent: analytics.consent,
    onSignIn: analytics.signIn,
    async signInPrompts() {
      const { createSignInPrompts } = await import('../sign-in-with-wallet/prompts')
      return createSignInPrompts({
        ...{ store, clock, link, modal, sessions, rpc, networks, origin },
        disconnect: connections.leave,
        view: page.init.signIn === 'siwe' ? 'ConnectingSiwe' : 'SIWXSignMessage',
        onEvent: analytics.signIn,
      })
    },
    diagnose: createDiagnosis({
      http,
      storage,
      network: defaultNetwork,
      client: clientOf(defaultNetwork.caipNetworkId),
    }),
    end() {
      notices.end()
      attempts.cancel()
      networkSwitch.end()
      remote.end()
      balance.end()
      money.end()
      analytics.end()
    },
  }

  function compose(params: HostParams<'rpc'>, signal: AbortSignal): Promise<unknown> | undefined {
    if (!isComposedMethod(params.namespace, params.method)) return undefined
    return import('./composed-methods').then(({ runComposed }) => runComposed(params, signal, composing))
  }

  async function switchTo(network: string, signal: AbortSignal): Promise<void> {
    const found = networks.find(network)
    if (found === undefined) {
      // A dapp often asks for an unknown chain only to add it next: no alert over a closed modal.
      if (store.getState().open) modal.alert('SWITCH_NETWORK_NOT_FOUND', { network })
      throw networkNotFound(network)
    }
    await remote.during(sessions.connector(found.chainNamespace), signal, (ended) => networkSwitch.to(found, ended))
  }
}

function createRequestNotices({
  store,
  modal,
  clock,
  onRefused,
}: Pick<PageSessionOptions, 'store' | 'modal'> & {
  readonly clock: Clock
  readonly onRefused: () => void
}) {
  let stopTimer = () => {}

  function notifyOnceVisible(notify: () => void): void {
    stopTimer()
    stopTimer = clock.after(limits.refusedMethodMessageDelay, notify)
  }

  return {
    /** Spec §8. */
    refused(): void {
      onRefused()
      notifyOnceVisible(() => modal.notify(texts.actionNotAllowed, 'bad', 'text.actionNotAllowed'))
    },
    /** Another request that waits for approval stays on screen. */
    standardAccountNeeded(): void {
      if (store.getState().approvals.length === 0) modal.open('AccountTypes')
      notifyOnceVisible(() => modal.notifyFailure('CONTRACT_NEEDS_STANDARD_ACCOUNT'))
    },
    end: () => stopTimer(),
  }
}

/** Reopens the phone's wallet app, to sign, if it was opened to connect. */
function reopenWallet(
  connector: Connector,
  { link, dependencies }: PageSessionOptions,
  { stored }: Pick<PageSetup, 'stored'>,
): void {
  const opened = stored.walletLink()
  if (!dependencies.isMobile || opened?.stableId !== connector.stableId || !isOpenableLink(opened.href)) return
  // If blocked, the user switches manually.
  link.request('openLink', { url: opened.href, target: 'app' }).catch(() => {})
}

function isPromptShown({ init, dependencies }: PageSessionOptions): boolean {
  return !dependencies.isMobile && init.walletPrompt !== false
}

export type PageServices = ReturnType<typeof createPageServices>

function listedWallet({ id, name, imageUrl, connectors }: WalletRow): ListedWallet {
  return { id, name, ...(imageUrl !== undefined && { icon: imageUrl }), installed: connectors.length > 0 }
}
