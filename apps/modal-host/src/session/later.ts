import { errors, isOpenableLink, limits, type Network, texts } from '@postern/protocol'
import { loadAdapter } from '../chains/adapters'
import type { ChainClient } from '../chains/chain-client'
import type { ConfiguredNetworks } from '../chains/networks'
import type { Connector } from '../connectors/connector'
import { createMoneyHost } from '../features/money-host'
import type { HostLink } from '../link/host-link'
import type { Clock } from '../services/clock'
import type { HttpClient } from '../services/http'
import type { HostStorage } from '../services/storage'
import type { ActiveNetwork } from './active-network'
import { createBalanceWatch } from './balance'
import { createConnectAttempts } from './connect-attempt'
import { createDiagnosis } from './diagnosis'
import type { Modal } from './modal'
import type { MultiAccess } from './multi'
import { heldConnection, isUnsupported } from './opening'
import { createRpc } from './rpc'
import type { Sessions } from './sessions'
import type { SnapshotStore } from './snapshot'
import type { SessionStore } from './stored'
import { createNetworkSwitch } from './switch-network'
import type { WalletList } from './wallet-list'

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
  /** Asks the gateway alone. */
  readonly gatewayClientOf: (id: Network['caipNetworkId']) => ChainClient
  readonly projectId: string
  readonly randomId: () => string
  readonly sessions: Sessions
  readonly active: ActiveNetwork
  readonly walletList: WalletList
  readonly connectorById: (id: string) => Connector | undefined
  readonly multi: MultiAccess
  readonly isMobile: boolean
  /** Rejects what waits for an approval, and shows the modal. */
  readonly onRefused: () => void
}

/** What a page session needs only once something is on show: connecting, switching, balances, requests, diagnosis. A chunk of its own. */
export function createLater(options: LaterOptions) {
  const { store, clock, link, modal, stored, networks, clientOf, sessions, active, walletList, multi } = options

  const attempts = createConnectAttempts({
    store,
    clock,
    sessions,
    connectorById: options.connectorById,
    multi: multi.isOffered ? multi.get : null,
    openLink: (opened) => link.request('openLink', opened),
    onLinkFailed: (code) => modal.notify(errors[code].message, 'bad'),
    onConnected({ id, name, entry }, walletLink) {
      stored.addRecent({ id, name, ...(entry?.rdns && { rdns: entry.rdns }) })
      if (walletLink !== null) stored.keepWalletLink(walletLink)
      walletList.refresh()
    },
    onDone() {
      attempts.cancel()
      if (isUnsupported(heldConnection(store.getState()))) modal.open('UnsupportedChain')
      else modal.close()
    },
  })
  const balance = createBalanceWatch({ store, clock, loadAdapter, clientOf })
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
    storage: options.storage,
    clock,
    randomId: options.randomId,
    clientOf: options.gatewayClientOf,
    rpc,
    refreshBalance: balance.refresh,
  })

  let stopTelling = () => {}

  return {
    attempts,
    balance,
    networkSwitch,
    rpc,
    money,
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
    },
  }

  /** Spec §8. The words come once the modal is there to show them. */
  function refuse(): void {
    options.onRefused()
    stopTelling()
    stopTelling = clock.after(limits.refusedMethodMessageDelay, () => modal.notify(texts.actionNotAllowed, 'bad'))
  }

  /** A wallet on the same telephone waits in the background: whoever was taken there to connect is taken there again to sign. */
  function openWallet(connector: Connector): void {
    const kept = stored.walletLink()
    if (!options.isMobile || kept?.stableId !== connector.stableId || !isOpenableLink(kept.href)) return
    // A browser that does not let it leaves the visitor to go there by hand.
    link.request('openLink', { url: kept.href, target: 'app' }).catch(() => {})
  }
}

export type Later = ReturnType<typeof createLater>
