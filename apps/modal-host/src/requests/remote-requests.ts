import { followAbort } from '@postern/base/abort'
import type { Clock } from '@postern/base/clock'
import { limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Connector } from '../connectors/connector'
import type { WalletRequest } from '../snapshot/host-snapshot'
import { dueView, type Modal } from '../snapshot/modal'
import type { SnapshotStore } from '../snapshot/store'

export type RemoteRequests = {
  /** Runs `ask` while the card names the wallet. The user's Cancel aborts its signal. */
  during<T>(
    connector: Pick<Connector, 'type' | 'name' | 'imageUrl'> | null,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /** Also closes the card of a request that a phone still shows. */
  cancel(id: string): void
  end(): void
}

/** The session itself answers some requests, which need no card. */
export const showDelayMs = 300

/**
 * Shows the dapp's requests to a phone over WalletConnect in the card WalletRequest.
 *
 * 1. The card opens if the wallet has not answered after {@link showDelayMs}. Other wallets show their own prompt.
 * 2. The card replaces no other view: it opens once the user has closed the modal.
 * 3. Cancel rejects the first request, and closing the card rejects all (spec §4): USER_REJECTED. The phone may still
 *    show them, so a payment is OUTCOME_UNKNOWN, and the card says to decline it there too, until the user closes it or
 *    the next request comes.
 * 4. The card closes after the last request, unless the modal was opened for something else. An embedded wallet's
 *    approval that covers it ends first: closing would reject that.
 */
export function createRemoteRequests(options: {
  readonly store: SnapshotStore
  readonly modal: Pick<Modal, 'open' | 'close' | 'onClose'>
  readonly clock: Clock
  /** False on a phone, which opens the wallet's app, or if the dapp shows its own card. */
  readonly isShown: boolean
}): RemoteRequests {
  const { store, modal, clock } = options
  const controllers = new Map<string, AbortController>()
  /** Cancelled with the card's button. */
  const cancelled = new Set<string>()
  let nextId = 1
  let openedKey: number | null = null
  let isOwnClose = false
  let stopOpening = () => {}

  function open(): void {
    const state = store.getState()
    if (state.open || state.walletRequests.length === 0 || dueView(state) !== null) return
    modal.open('WalletRequest')
    openedKey = store.getState().opening.key
  }

  const isLeft = ({ isLeft }: WalletRequest) => isLeft === true

  function drop(isDropped: (request: WalletRequest) => boolean): void {
    const walletRequests = store.getState().walletRequests.filter((one) => !isDropped(one))
    store.setState({ walletRequests })
  }

  function close(): void {
    const { approvals, walletRequests } = store.getState()
    if (approvals.length > 0 || walletRequests.length > 0) return
    const key = openedKey
    openedKey = null
    if (key === null || store.getState().opening.key !== key) return
    isOwnClose = true
    modal.close()
    isOwnClose = false
  }

  function cancel(id: string): void {
    controllers.get(id)?.abort(new Failure('USER_REJECTED'))
  }

  /** Rule 3: moves a cancelled request behind those that wait. */
  function leave(id: string): void {
    const { walletRequests } = store.getState()
    const others = walletRequests.filter((one) => one.id !== id && !isLeft(one))
    const left = walletRequests.flatMap((one) => (one.id === id ? [{ ...one, isLeft: true }] : []))
    store.setState({ walletRequests: [...others, ...left] })
  }

  /** Rule 3. */
  function isShownThere(id: string, thrown: unknown): boolean {
    return cancelled.has(id) && thrown instanceof Failure && thrown.code === 'OUTCOME_UNKNOWN'
  }

  const stopListening = modal.onClose(() => {
    if (isOwnClose) return
    const isCard = store.getState().opening.key === openedKey
    openedKey = null
    drop(isLeft)
    const { walletRequests } = store.getState()
    if (isCard) for (const { id } of walletRequests) cancel(id)
    // Rule 2: after the card has left the screen.
    else if (walletRequests.length > 0) stopOpening = clock.after(limits.viewTransition, open)
  })

  const stopFollowing = store.subscribe(({ approvals }, before) => {
    if (approvals.length === 0 && before.approvals.length > 0) close()
  })

  return {
    async during(connector, signal, ask) {
      if (connector?.type !== 'WALLET_CONNECT' || !options.isShown) return ask(signal)
      const { name, imageUrl } = connector
      const id = String(nextId++)
      const controller = new AbortController()
      controllers.set(id, controller)
      const stopTimer = clock.after(showDelayMs, () => {
        if (controller.signal.aborted) return
        const request = { id, name, ...(imageUrl !== undefined && { imageUrl }) }
        drop(isLeft)
        store.setState(({ walletRequests }) => ({ walletRequests: [...walletRequests, request] }))
        open()
      })
      // An equal request joins the one that the phone still shows.
      const before = store.getState().walletRequests.filter(isLeft)
      let isShownElsewhere = false
      try {
        return await ask(followAbort(controller, signal))
      } catch (thrown) {
        isShownElsewhere = isShownThere(id, thrown)
        throw thrown
      } finally {
        stopTimer()
        controllers.delete(id)
        cancelled.delete(id)
        drop((one) => before.includes(one) || (one.id === id && !isShownElsewhere))
        if (isShownElsewhere) leave(id)
        close()
      }
    },
    cancel(id) {
      if (!controllers.has(id)) {
        drop((one) => one.id === id)
        close()
        return
      }
      cancelled.add(id)
      cancel(id)
    },
    end() {
      stopListening()
      stopFollowing()
      stopOpening()
      for (const controller of controllers.values()) controller.abort(new Failure('ABORTED'))
    },
  }
}
