import { limits, type Namespace } from '@postern/protocol'
import type { Connector } from '../connectors/connector'
import { asFailure, LinkFailure } from '../link/failure'
import type { Clock } from '../services/clock'
import type { ConnectAttempt, WalletRow } from './contract'
import type { Sessions } from './sessions'
import type { SnapshotStore } from './snapshot'

/** How long the drawn tick stays before the modal closes, in ms: the views' own transitions need 150 (spec §9), a glance the rest. */
export const successHold = 600

export type ConnectAttempts = {
  begin(row: WalletRow, namespace?: Namespace): void
  retry(): void
  cancel(): void
  /** The wallets of the page changed: an attempt whose wallet is gone fails. */
  onPageWallets(present: ReadonlySet<string>): void
}

export type ConnectAttemptOptions = {
  readonly store: SnapshotStore
  readonly clock: Clock
  readonly sessions: Sessions
  readonly connectorById: (id: string) => Connector | undefined
  /** The attempt succeeded, and its success was seen. */
  readonly onDone: () => void
  /** The attempt succeeded. */
  readonly onConnected: (row: WalletRow) => void
}

/**
 * One attempt to connect a wallet, as ConnectingExternal shows it.
 *
 * 1. A row without a connector is notInstalled. Else the wallet is asked at once, in the namespace named or the row's first.
 * 2. Declined, pending and failed are told apart; a retry is allowed after 1 s (spec §9), and earlier ones do nothing.
 * 3. A later attempt ends an earlier one; a cancelled or ended one changes nothing any more.
 * 4. A wallet that vanishes from the page fails the attempt: nobody waits for it.
 */
export function createConnectAttempts(options: ConnectAttemptOptions): ConnectAttempts {
  const { store, clock, sessions } = options
  let running: {
    controller: AbortController
    row: WalletRow
    namespace: Namespace | undefined
    connectorId: string | null
  } | null = null

  function begin(row: WalletRow, namespace?: Namespace) {
    stop()
    const controller = new AbortController()
    const link = row.connectors.find((connector) => namespace === undefined || connector.namespace === namespace)
    running = { controller, row, namespace, connectorId: link?.connectorId ?? null }
    const connector = link && options.connectorById(link.connectorId)
    if (connector === undefined) return show(row, link === undefined ? { kind: 'notInstalled' } : vanished())
    show(row, { kind: 'waiting' })
    void run(row, connector, controller.signal)
  }

  async function run(row: WalletRow, connector: Connector, signal: AbortSignal): Promise<void> {
    const showIfCurrent = (status: ConnectAttempt['status']) => {
      if (running?.controller.signal === signal && !signal.aborted) show(row, status)
    }
    try {
      await sessions.connect(connector, { signal, onPending: () => showIfCurrent({ kind: 'pendingInWallet' }) })
    } catch (thrown) {
      return showIfCurrent(statusOf(asFailure(thrown)))
    }
    if (running?.controller.signal !== signal) return
    running = { ...running, connectorId: null }
    show(row, { kind: 'connected' })
    options.onConnected(row)
    const stopHold = clock.after(successHold, () => {
      if (running?.controller.signal === signal) options.onDone()
    })
    signal.addEventListener('abort', stopHold, { once: true })
  }

  function show(row: WalletRow, status: ConnectAttempt['status']): void {
    const isFailure = status.kind === 'failed' || status.kind === 'declined'
    store.setState({ connectAttempt: { row, status, retryAt: isFailure ? clock.now() + limits.connectRetryDelay : 0 } })
  }

  function stop(): void {
    running?.controller.abort(new LinkFailure('ABORTED'))
    running = null
  }

  return {
    begin,
    retry() {
      const attempt = store.getState().connectAttempt
      if (running === null || attempt === null || clock.now() < attempt.retryAt) return
      begin(running.row, running.namespace)
    },
    cancel() {
      stop()
      if (store.getState().connectAttempt !== null) store.setState({ connectAttempt: null })
    },
    onPageWallets(present) {
      if (running?.connectorId == null || present.has(running.connectorId)) return
      const { row } = running
      running.controller.abort(new LinkFailure('DISCONNECTED'))
      show(row, vanished())
    },
  }
}

function statusOf(failure: LinkFailure): ConnectAttempt['status'] {
  if (failure.code === 'USER_REJECTED') return { kind: 'declined' }
  return { kind: 'failed', code: failure.code, message: failure.message }
}

function vanished(): ConnectAttempt['status'] {
  return statusOf(new LinkFailure('DISCONNECTED'))
}
