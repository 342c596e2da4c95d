import type { CaipNetworkId, WalletFramePayload } from '@postern/protocol'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { AskWallet } from '../connectors/embedded/wallet-frame/wallet-frame'
import type { Modal } from '../snapshot/modal'
import type { SnapshotStore } from '../snapshot/store'
import type { ShownApprovals } from './approvals'

export type WaitingTransactions = {
  /** See `EmbeddedAccountActions`. */
  refresh(networkIds: readonly CaipNetworkId[]): void
  replace(request: WalletFramePayload<'REPLACE_TRANSACTION'>): void
}

/**
 * The embedded wallet's pending transactions, for Activity.
 *
 * 1. The list is the wallet's own. If it cannot be read, the last one stays.
 * 2. The modal names a transaction and what to do with it. The wallet makes the replacement and draws its approval.
 * 3. A failure before the approval appears at the bottom of the card.
 */
export function createWaitingTransactions(options: {
  readonly store: SnapshotStore
  readonly modal: Pick<Modal, 'notifyFailure'>
  readonly ask: AskWallet
  readonly approvals: Pick<ShownApprovals, 'track'>
  readonly randomId: () => string
}): WaitingTransactions {
  const { store, modal, ask, approvals, randomId } = options
  let watchedNetworkIds: readonly CaipNetworkId[] = []

  async function read(): Promise<void> {
    const { transactions } = await ask('GET_WAITING_TRANSACTIONS', { networkIds: [...watchedNetworkIds] })
    const before = store.getState().waiting
    // A view draws again only after a change.
    if (store.getState().embedded !== null && JSON.stringify(before) !== JSON.stringify(transactions))
      store.setState({ waiting: transactions })
  }
  const refresh = () => void read().catch(() => {})

  return {
    refresh(networkIds) {
      watchedNetworkIds = networkIds
      refresh()
    },
    replace(request) {
      const id = randomId()
      const asking = new AbortController()
      const done = ask('REPLACE_TRANSACTION', request, { id, signal: asking.signal }).then(({ hash }) => hash)
      approvals.track({ id, asker: 'visitor', done, abort: (failure) => asking.abort(failure) })
      done.then(refresh, (thrown: unknown) => {
        refresh()
        const { code, message } = asFailure(thrown)
        const isShown = store.getState().approvals.some(({ request: shown }) => shown.id === id)
        if (!isShown && code !== 'USER_REJECTED' && code !== 'ABORTED') modal.notifyFailure(code, message)
      })
    },
  }
}
