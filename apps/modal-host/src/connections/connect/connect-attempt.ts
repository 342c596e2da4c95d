import type { Clock } from '@postern/base/clock'
import { type ErrorCode, limits, type Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { Connector, GrantedConnector, MultiConnector } from '../../connectors/connector'
import type { ConnectAttempt, Pairing, WalletRow } from '../../snapshot/contract'
import { activeNamespaceOf } from '../../snapshot/opening'
import type { SnapshotStore } from '../../snapshot/store'
import type { Sessions } from '../sessions/sessions'
import type { StoredWalletLink } from '../sessions/stored'
import { type WalletLinkKind, walletHome, walletLink } from '../wallets/wallet-link'
import { askWallet } from './ask-wallet'

/** In ms: 150 for the view transition (spec §9), the rest for a glance. */
export const successHoldMs = 600

export type ConnectAttempts = {
  begin(row: WalletRow, namespace?: Namespace): void
  retry(): void
  cancel(): void
  openWalletLink(kind: WalletLinkKind): void
  onPageWallets(present: ReadonlySet<string>): void
}

export type ConnectAttemptOptions = {
  readonly store: SnapshotStore
  readonly clock: Clock
  readonly sessions: Pick<Sessions, 'connect' | 'adopt'>
  readonly connectorById: (id: string) => Connector | undefined
  readonly multi: (() => Promise<MultiConnector>) | null
  /** Rejects if the browser blocks it. */
  readonly openLink: (link: { url: string; target: 'app' | 'tab' }) => Promise<unknown>
  readonly onLinkFailed: (code: ErrorCode) => void
  /** For example, the relay refused the project. */
  readonly onPairingFailed: (code: ErrorCode) => void
  readonly onDone: () => void
  /** `link` reopens the wallet's app, if the attempt used it. */
  readonly onConnected: (row: WalletRow, link: StoredWalletLink | null) => void
}

type Running = {
  readonly controller: AbortController
  readonly row: WalletRow
  readonly namespace: Namespace | undefined
  readonly via: ConnectAttempt['via']
  connectorId: string | null
  link: WalletLinkKind | null
  opened: { readonly kind: WalletLinkKind; readonly uri: string } | null
}

/**
 * Runs one attempt at a time to connect a wallet.
 *
 * 1. A page wallet is asked at once: in the given namespace, else the wanted, else its only one; with several, the user
 *    chooses. Another wallet is reached by WalletConnect if possible, else it is notInstalled.
 * 2. Declined, pending, expired and failed are separate states. A retry within 1 s does nothing (spec §9).
 * 3. A later attempt ends an earlier one.
 * 4. If a wallet disappears from the page, its attempt fails.
 * 5. WalletConnect requests the wanted namespace, else all, and connects every granted one, the wanted or active one
 *    first. The pairing on screen is always usable.
 * 6. A wallet's link opens once per click, if allowed, with the current or next pairing. A new pairing after that means
 *    that the wallet let the opened one lapse: the attempt is expired.
 * 7. The success shows for a moment, then the modal closes, unless it was opened for something else.
 */
export function createConnectAttempts(options: ConnectAttemptOptions): ConnectAttempts {
  const { store, clock, sessions, multi } = options
  let running: Running | null = null

  function begin(row: WalletRow, namespace: Namespace | undefined = store.getState().wantedNamespace ?? undefined) {
    stop()
    const links = row.connectors.filter((connector) => namespace === undefined || connector.namespace === namespace)
    const [link] = links
    const isRemote = link === undefined && row.walletConnect === true && multi !== null
    const attempt: Running = {
      controller: new AbortController(),
      row,
      namespace,
      via: isRemote ? 'walletConnect' : 'page',
      connectorId: null,
      link: null,
      opened: null,
    }
    running = attempt
    if (links.length > 1) return show(attempt, { kind: 'choosing' })
    if (isRemote) return void run(attempt, () => pair(attempt, multi))
    if (link === undefined) return show(attempt, { kind: 'notInstalled' })
    const connector = options.connectorById(link.connectorId)
    if (connector === undefined) return show(attempt, disconnected())
    attempt.connectorId = link.connectorId
    void run(attempt, () => ask(attempt, connector))
  }

  async function run(attempt: Running, connect: () => Promise<StoredWalletLink | null>): Promise<void> {
    show(attempt, { kind: 'waiting' }, attempt.via === 'walletConnect' ? { kind: 'preparing' } : undefined)
    let link: StoredWalletLink | null
    try {
      link = await connect()
    } catch (thrown) {
      const failure = asFailure(thrown)
      const isShown = running === attempt && !attempt.controller.signal.aborted
      if (isShown && attempt.via === 'walletConnect') options.onPairingFailed(failure.code)
      return show(attempt, statusOf(failure, attempt.via))
    }
    if (running !== attempt) return
    attempt.connectorId = null
    show(attempt, { kind: 'connected' })
    options.onConnected(attempt.row, link)
    const { key } = store.getState().opening
    const stopHold = clock.after(successHoldMs, () => {
      if (running !== attempt) return
      if (store.getState().opening.key === key) options.onDone()
      else cancel()
    })
    attempt.controller.signal.addEventListener('abort', stopHold, { once: true })
  }

  async function ask(attempt: Running, connector: Connector): Promise<null> {
    const { signal } = attempt.controller
    const onPending = () => show(attempt, { kind: 'pendingInWallet' })
    await sessions.connect(connector, { signal, ask: (own) => askWallet(connector, own, onPending) })
    return null
  }

  async function pair(attempt: Running, load: () => Promise<MultiConnector>): Promise<StoredWalletLink | null> {
    const { row, namespace, controller } = attempt
    const connector = await load()
    controller.signal.throwIfAborted()
    const granted = await connector.connect({
      row: { name: row.name, ...(row.imageUrl !== undefined && { imageUrl: row.imageUrl }) },
      namespaces: namespace === undefined ? store.getState().namespaces : [namespace],
      signal: controller.signal,
      onPairing: (pairing) => onPairing(attempt, pairing ? { kind: 'ready', ...pairing } : { kind: 'preparing' }),
    })
    if (controller.signal.aborted) {
      for (const { events } of granted) events?.drop()
      await Promise.allSettled(granted.map(({ connector }) => connector.disconnect()))
      throw new Failure('ABORTED')
    }
    sessions.adopt(inOrder(granted, namespace ?? activeNamespaceOf(store.getState())))
    const href = attempt.opened?.kind === 'mobile' ? walletHome(row.entry) : null
    const stableId = granted[0]?.connector.stableId
    return href === null || stableId === undefined ? null : { stableId, href }
  }

  function onPairing(attempt: Running, pairing: Pairing): void {
    if (store.getState().connectAttempt?.status.kind !== 'waiting') return
    if (pairing.kind === 'ready' && attempt.opened !== null && attempt.opened.uri !== pairing.uri) {
      show(attempt, { kind: 'expired' })
      attempt.controller.abort(new Failure('TIMEOUT'))
      return
    }
    show(attempt, { kind: 'waiting' }, pairing)
    openLink(attempt)
  }

  function openLink(attempt: Running): void {
    const pairing = store.getState().connectAttempt?.pairing
    if (running !== attempt || attempt.link === null || pairing?.kind !== 'ready') return
    const { uri } = pairing
    const link = walletLink(attempt.row.entry, attempt.link, uri)
    if (link !== null) attempt.opened = { kind: attempt.link, uri }
    attempt.link = null
    if (link !== null) options.openLink(link).catch((thrown) => options.onLinkFailed(asFailure(thrown).code))
  }

  function show(attempt: Running, status: ConnectAttempt['status'], pairing?: Pairing): void {
    if (running !== attempt || attempt.controller.signal.aborted) return
    const isFailure = status.kind === 'failed' || status.kind === 'declined' || status.kind === 'expired'
    store.setState({
      connectAttempt: {
        row: attempt.row,
        via: attempt.via,
        status,
        ...(pairing && { pairing }),
        retryAt: isFailure ? clock.now() + limits.connectRetryDelay : 0,
      },
    })
  }

  function stop(): void {
    running?.controller.abort(new Failure('ABORTED'))
    running = null
  }

  function cancel(): void {
    stop()
    if (store.getState().connectAttempt !== null) store.setState({ connectAttempt: null })
  }

  return {
    begin,
    cancel,
    retry() {
      const attempt = store.getState().connectAttempt
      if (running === null || attempt === null || clock.now() < attempt.retryAt) return
      begin(running.row, running.namespace)
    },
    openWalletLink(kind) {
      if (running?.via !== 'walletConnect') return
      running.link = kind
      openLink(running)
    },
    onPageWallets(present) {
      if (running?.connectorId == null || present.has(running.connectorId)) return
      const attempt = running
      show(attempt, disconnected())
      attempt.controller.abort(new Failure('DISCONNECTED'))
    },
  }
}

export function inOrder(
  granted: readonly GrantedConnector[],
  first: Namespace | undefined,
): readonly GrantedConnector[] {
  const isFirst = ({ connector }: GrantedConnector) => connector.namespace === first
  return [...granted.filter(isFirst), ...granted.filter((one) => !isFirst(one))]
}

/** Expired is not a failure: the user can request a new pairing. */
function statusOf(failure: Failure, via: ConnectAttempt['via']): ConnectAttempt['status'] {
  if (failure.code === 'USER_REJECTED') return { kind: 'declined' }
  if (failure.code === 'TIMEOUT' && via === 'walletConnect') return { kind: 'expired' }
  return { kind: 'failed', code: failure.code, message: failure.message }
}

function disconnected(): ConnectAttempt['status'] {
  return statusOf(new Failure('DISCONNECTED'), 'page')
}
