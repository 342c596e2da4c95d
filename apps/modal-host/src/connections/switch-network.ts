import { followAbort } from '@postern/base/abort'
import type { ConfiguredNetwork } from '@postern/chains/networks'
import type { CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { SwitchAttempt } from '../snapshot/contract'
import type { SnapshotStore } from '../snapshot/store'
import type { Sessions } from './sessions/sessions'

export type NetworkSwitch = {
  /** Rejects with SWITCH_NETWORK_NOT_FOUND, USER_REJECTED, CHAIN_NOT_SUPPORTED or the wallet's failure. */
  to(network: ConfiguredNetwork | undefined, signal?: AbortSignal): Promise<void>
  end(): void
}

/**
 * Switches networks.
 *
 * 1. Disconnected, the network becomes active at once; connected, the wallet is asked, and the network follows it. If
 *    only another namespace is connected, SwitchActiveChain opens.
 * 2. A later switch ends an earlier one. An attempt is shown until it succeeds.
 */
export function createNetworkSwitch(options: {
  readonly store: SnapshotStore
  readonly sessions: Pick<Sessions, 'connection' | 'switchNetwork'>
  readonly setActive: (id: CaipNetworkId) => void
  /** Only another namespace has a wallet. */
  readonly onForeign: () => void
}): NetworkSwitch {
  const { store, sessions, setActive, onForeign } = options
  let controller: AbortController | null = null

  return {
    async to(network, outer) {
      if (network === undefined) throw new Failure('SWITCH_NETWORK_NOT_FOUND')
      controller?.abort(new Failure('ABORTED'))
      const switchController = new AbortController()
      controller = switchController
      const signal = followAbort(switchController, outer)
      const networkId = network.caipNetworkId
      if (sessions.connection(network.chainNamespace).status !== 'connected') {
        store.setState({ switchAttempt: null })
        setActive(networkId)
        if (isAnyConnected(store)) onForeign()
        return
      }
      const show = (switchAttempt: SwitchAttempt | null) => {
        if (controller === switchController) store.setState({ switchAttempt })
      }
      show({ networkId, status: { kind: 'waiting' } })
      try {
        await sessions.switchNetwork(network, signal)
        const connection = sessions.connection(network.chainNamespace)
        // The wallet may have disconnected or switched again.
        const isThere = connection.status === 'connected' && connection.networkId === networkId
        if (controller === switchController && isThere) setActive(networkId)
        show(null)
      } catch (thrown) {
        const failure = asFailure(thrown)
        if (failure.code === 'USER_REJECTED') show({ networkId, status: { kind: 'declined' } })
        else if (failure.code === 'ABORTED') show(null)
        else {
          const { code, message } = failure.message === '' ? new Failure('UNKNOWN') : failure
          show({ networkId, status: { kind: 'failed', code, message } })
        }
        throw failure
      }
    },
    end() {
      controller?.abort(new Failure('LINK_CLOSED'))
    },
  }
}

function isAnyConnected(store: SnapshotStore): boolean {
  return Object.values(store.getState().connections).some((connection) => connection?.status === 'connected')
}
