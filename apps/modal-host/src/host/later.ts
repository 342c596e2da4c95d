import { loadAdapter } from '@postern/chains/adapters'
import type { ChainClient } from '@postern/chains/chain-client'
import type { ConfiguredNetworks } from '@postern/chains/networks'
import { type Init, isOpenableLink, limits, type Namespace, type Network, texts } from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import type { ActiveNetwork } from '../connections/active-network'
import { createConnectAttempts } from '../connections/connect-attempt'
import type { MultiAccess } from '../connections/multi'
import type { Sessions } from '../connections/sessions'
import type { SessionStore } from '../connections/stored'
import { createNetworkSwitch } from '../connections/switch-network'
import type { WalletList } from '../connections/wallet-list'
import type { Connector } from '../connectors/connector'
import { createAnalyticsAccess } from '../features/analytics/analytics-access'
import { createMoneyHost } from '../features/money-host'
import type { HostLink } from '../page-link/host-link'
import type { HostHandlers } from '../page-link/host-methods'
import { createBalanceWatch } from '../requests/balance'
import { createDiagnosis } from '../requests/diagnosis'
import { createPayRequest } from '../requests/pay-request'
import { createRpc } from '../requests/rpc'
import type { HttpClient } from '../services/http'
import type { HostStorage } from '../services/storage'
import type { Modal } from '../snapshot/modal'
import { leaveConnecting } from '../snapshot/opening'
import type { ClickPowers } from '../snapshot/popup'
import type { SnapshotStore } from '../snapshot/store'

export type LaterOptions = {
  readonly store: SnapshotStore
  readonly clock: Clock
  readonly link: HostLink
  readonly modal: Modal
  readonly http: HttpClient
  readonly storage: HostStorage
  readonly stored: SessionStore
  readonly networks: ConfiguredNetworks
  readonly defaultNetwork: Network
  readonly clientOf: (id: Network['caipNetworkId']) => ChainClient
  readonly gatewayClientOf: (id: Network['caipNetworkId']) => ChainClient
  readonly projectId: string
  readonly randomId: () => string
  readonly openPopup: ClickPowers['openPopup']
  readonly origin: string
  readonly isAnalyticsOn: boolean
  readonly sessions: Sessions
  readonly active: ActiveNetwork
  readonly walletList: WalletList
  readonly connectorById: (id: string) => Connector | undefined
  readonly multi: MultiAccess
  readonly isMobile: boolean
  readonly connect: HostHandlers['connect']
  /** Resolves when it is known for every connection. */
  readonly untilSignInKnown: () => Promise<unknown>
  readonly onRefused: () => void
}

/** Code for a visible modal. A separate chunk. */
export function createLater(options: LaterOptions) {
  const { store, clock, link, modal, stored, networks, clientOf, sessions, active, walletList, multi } = options

  const attempts = createConnectAttempts({
    store,
    clock,
    sessions,
    connectorById: options.connectorById,
    multi: multi.isOffered ? multi.get : null,
    openLink: (opened) => link.request('openLink', opened),
    onLinkFailed: (code) => modal.notifyFailure(code),
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
  const balance = createBalanceWatch({ store, clock, loadAdapter, clientOf, memory: options.storage })
  const networkSwitch = createNetworkSwitch({
    store,
    sessions,
    setActive: active.set,
    onForeign: () => modal.open('SwitchActiveChain'),
  })

  const rpc = createRpc({
    onApproved: balance.refresh,
    onAsked: openWallet,
    onRefused: refuse,
    networks,
    sessions,
    loadAdapter,
    clientOf,
    activeNetworkId: () => store.getState().activeNetworkId,
  })
  const money = createMoneyHost({
    store,
    sessions,
    http: options.http,
    projectId: options.projectId,
    origin: options.origin,
    storage: options.storage,
    clock,
    randomId: options.randomId,
    clientOf: options.gatewayClientOf,
    rpc,
    refreshBalance: balance.refresh,
    openPopup: options.openPopup,
  })
  const analytics = createAnalyticsAccess(options)
  const payments = createPayRequest({
    store,
    modal,
    isConfigured: (id) => networks.get(id) !== undefined,
    check: async (request) => (await import('../features/pay/check-payment')).checkPayment(request),
    connect: async (params, signal) => options.connect(params, signal),
    untilSignInKnown: options.untilSignInKnown,
  })

  let stopTelling = () => {}

  return {
    attempts,
    balance,
    networkSwitch,
    rpc,
    money,
    payments,
    consent: analytics.consent,
    onSignIn: analytics.signIn,
    async signInPrompts({ signIn }: Pick<Init, 'signIn'>, disconnect: (namespace: Namespace) => Promise<void>) {
      const { createSignInPrompts } = await import('../sign-in-with-wallet/prompts')
      const { origin } = options
      return createSignInPrompts({
        ...{ store, clock, link, modal, sessions, rpc, networks, origin, disconnect },
        view: signIn === 'siwe' ? 'ConnectingSiwe' : 'SIWXSignMessage',
        onEvent: analytics.signIn,
      })
    },
    diagnose: createDiagnosis({
      http: options.http,
      storage: options.storage,
      network: options.defaultNetwork,
      client: clientOf(options.defaultNetwork.caipNetworkId),
    }),
    end() {
      stopTelling()
      attempts.cancel()
      networkSwitch.end()
      balance.end()
      money.end()
      analytics.end()
    },
  }

  /** Spec §8. The message needs a visible modal. */
  function refuse(): void {
    options.onRefused()
    stopTelling()
    stopTelling = clock.after(limits.refusedMethodMessageDelay, tellRefusal)
  }

  function tellRefusal(): void {
    modal.notify(texts.actionNotAllowed, 'bad', 'text.actionNotAllowed')
  }

  /** Reopens the phone's wallet app to sign, if it was opened to connect. */
  function openWallet(connector: Connector): void {
    const kept = stored.walletLink()
    if (!options.isMobile || kept?.stableId !== connector.stableId || !isOpenableLink(kept.href)) return
    // If blocked, the user switches manually.
    link.request('openLink', { url: kept.href, target: 'app' }).catch(() => {})
  }
}

/** Here, so that the first chunk does not import it. */
export async function loadEmbeddedSession() {
  return (await import('../embedded/embedded-session')).createEmbeddedSession
}

export type Later = ReturnType<typeof createLater>
