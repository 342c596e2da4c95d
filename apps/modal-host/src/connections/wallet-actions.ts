import type { OnceLoaded } from '@postern/base/once-loaded'
import type { ConfiguredNetworks } from '@postern/chains/networks'
import type { Namespace } from '@postern/protocol'
import type { WalletActions } from '../snapshot/actions'
import { isLegalDue } from '../snapshot/features'
import type { Modal } from '../snapshot/modal'
import { accountConnection } from '../snapshot/opening'
import type { SnapshotStore } from '../snapshot/store'
import type { ActiveNetwork } from './active-network'
import type { ConnectAttempts } from './connect/connect-attempt'
import type { WalletChoice } from './connect/wallet-choice'
import type { MultiAccess } from './multi'
import type { Sessions } from './sessions/sessions'
import type { NetworkSwitch } from './switch-network'
import type { WalletList } from './wallets/wallet-list'

export function createWalletActions(options: {
  readonly store: SnapshotStore
  readonly modal: Modal
  readonly networks: Pick<ConfiguredNetworks, 'get'>
  readonly sessions: Pick<Sessions, 'connection' | 'chooseAccount'>
  readonly active: Pick<ActiveNetwork, 'set'>
  readonly walletList: Pick<WalletList, 'rowOf'>
  readonly multi: Pick<MultiAccess, 'prepare'>
  readonly choice: WalletChoice
  readonly services: OnceLoaded<{
    readonly attempts: ConnectAttempts
    readonly networkSwitch: NetworkSwitch
    readonly remote: { cancel(id: string): void }
  }>
  readonly leave: (namespace?: Namespace) => Promise<void>
}): WalletActions {
  const { store, modal, networks, sessions, active, walletList, choice, services } = options

  /** The user may read lists before accepting the terms. */
  const connect: WalletActions['connect'] = (row, namespace) => {
    if (isLegalDue(store.getState())) modal.open('Connect')
    else choice.begin(row, namespace)
  }

  return {
    connect,
    connectEntry: (entry) => connect(walletList.rowOf(entry)),
    openWalletLink: (link) => services.send(({ attempts }) => attempts.openWalletLink(link)),
    preparePairing: options.multi.prepare,
    retryConnect: choice.retry,
    cancelConnect: choice.cancel,
    activate(namespace) {
      const connection = sessions.connection(namespace)
      if (connection.status === 'connected') active.set(connection.networkId)
    },
    chooseAccount: sessions.chooseAccount,
    want(wantedNamespace) {
      if (store.getState().wantedNamespace !== wantedNamespace) store.setState({ wantedNamespace })
      if (store.getState().wantedMethod !== null) store.setState({ wantedMethod: null })
    },
    async disconnect(namespace) {
      const { key } = store.getState().opening
      try {
        await options.leave(namespace)
        const now = store.getState()
        // The disconnect may be slow: the user may be connecting another wallet by then.
        const isIdle = now.opening.key === key && now.connectAttempt === null && now.signIn === null
        if (isIdle && accountConnection(now) === null) modal.close()
      } catch {
        modal.notifyFailure('DISCONNECT_FAILED')
      }
    },
    switchNetwork: (id) => services.call(({ networkSwitch }) => networkSwitch.to(networks.get(id))),
    cancelWalletRequest: (id) => services.notify(({ remote }) => remote.cancel(id)),
  }
}
