import type { ChainClient } from '@postern/chains/chain-client'
import {
  type Account,
  type ApprovalRequest,
  type CaipNetworkId,
  classifyRpcMethod,
  type ErrorCode,
  limits,
  type Namespace,
  parseCaipNetworkId,
  type WalletFrameNotice,
} from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { KnownAddresses } from '../connections/known-addresses'
import type { WalletRpc } from '../connectors/embedded/index'
import type { AskWallet } from '../connectors/embedded/wallet-frame/wallet-frame'
import type { DescribeApproval, Intent } from '../intent/intent'
import type { Ended, FollowSent } from '../requests/follow-sent'
import { perhapsSentBy, type Sent, sentBy } from '../requests/sent'
import type { Approval, HostSnapshot, SentOutcome } from '../snapshot/contract'
import type { Modal } from '../snapshot/modal'
import type { SnapshotStore } from '../snapshot/store'

/** How long the outcome stays before the modal closes, in ms. */
export const confirmedHold = 2_500
export const failedHold = 6_000
/** Min display time before a waiting request takes over, in ms. */
export const sentHold = 1_500

export type Approvals = {
  onNotice(notice: WalletFrameNotice): void
  track(request: WalletRpc): void
  approve(id: string): void
  /** Dismisses a finished one. */
  reject(id: string): void
  rejectAll(): void
  /** The frame is gone. */
  drop(): void
  end(): void
}

export type ApprovalOptions = {
  readonly store: SnapshotStore
  readonly clock: Clock
  readonly modal: Modal
  readonly ask: AskWallet
  readonly describe: () => Promise<DescribeApproval>
  readonly clientOf: (networkId: CaipNetworkId) => ChainClient
  readonly nativeCurrencyOf: (
    networkId: CaipNetworkId,
  ) => { readonly symbol: string; readonly decimals?: number | undefined } | undefined
  readonly known: KnownAddresses
  readonly followSent: () => Promise<FollowSent>
  /** Balances may have changed. */
  readonly onEnded: () => void
}

/**
 * The embedded wallet's not-safe requests that wait for the user (spec §4, §6).
 *
 * 1. Each is shown as the frame prepared it, in order of arrival. A request is approved only by its id and the digest
 *    of what is on screen; a blocked one cannot be approved.
 * 2. A closed modal opens at ApproveTransaction and closes after the last request, unless it was opened for something
 *    else in the meantime. An open one restores its view.
 * 3. Closing the modal rejects every request that is not approved yet, including those still being prepared:
 *    USER_REJECTED.
 * 4. A request is dismissed when it succeeds or fails: a sent transaction when its outcome is known (6), a failure
 *    after its reason was shown. The user may dismiss either sooner. A rejected or cancelled request, or one whose
 *    frame is gone, is dismissed at once.
 * 5. Each is described as far as possible: first without the chain, then with its data. A description never approves
 *    anything.
 * 6. A transaction that was sent, or may have been, is followed until it ends, on screen or not; the page already has
 *    its result. It stays on screen for at most 25 s while its outcome is unknown, and makes room sooner for a waiting
 *    request. Good news is dismissed after a moment. Bad news stays until the user dismisses it, and appears at the
 *    bottom of the card if another view is on screen.
 * 7. A feature's own transaction is reported by the feature's view: it is dismissed here once it is sent.
 */
export function createApprovals(options: ApprovalOptions): Approvals {
  const { store, clock, modal, ask, known } = options
  const requests = new Map<string, WalletRpc>()
  const describing = new Map<string, AbortController>()
  const holds = new Map<string, () => void>()
  const approved = new Map<string, ApprovalRequest>()
  /** Sent, and shown for at least `sentHold`. */
  const seen = new Set<string>()
  const followed = new AbortController()
  /** The opening that only shows approvals. */
  let openedKey: number | null = null
  /** Our own close rejects nothing. */
  let isClosing = false

  const find = (id: string) => store.getState().approvals.find(({ request }) => request.id === id)

  function change(id: string, changes: Partial<Pick<Approval, 'intent' | 'status'>>): void {
    const { approvals } = store.getState()
    store.setState({ approvals: approvals.map((one) => (one.request.id === id ? { ...one, ...changes } : one)) })
  }

  function add(request: ApprovalRequest): void {
    if (find(request.id) !== undefined) return
    const { approvals, open } = store.getState()
    const asker = requests.get(request.id)?.asker ?? null
    const approval: Approval = { request, ...(asker !== null && { asker }), intent: null, status: { kind: 'waiting' } }
    store.setState({ approvals: [...approvals, approval] })
    // 2: open for the request
    if (!open) {
      modal.open('ApproveTransaction')
      openedKey = store.getState().opening.key
    }
    makeRoom()
    void explain(request)
  }

  async function explain(request: ApprovalRequest): Promise<void> {
    const { id, networkId } = request
    const controller = new AbortController()
    describing.set(id, controller)
    const { namespace } = parseCaipNetworkId(networkId)
    const own = ownAccounts(store.getState(), namespace)
    const owner = ownerOf(own)
    const { symbol = '', decimals = nativeDecimals[namespace] } = options.nativeCurrencyOf(networkId) ?? {}
    const context = {
      clientOf: options.clientOf,
      nativeCurrency: { symbol, decimals },
      own: own.map(({ address }) => address),
      known: owner === undefined ? [] : known.list(owner),
      signal: controller.signal,
    }
    try {
      const describeApproval = await options.describe()
      await describeApproval(request, context, (intent) => {
        if (!controller.signal.aborted) change(id, { intent })
      })
    } catch {
      // Shown by its raw bytes.
    }
  }

  function remove(id: string): void {
    describing.get(id)?.abort(new Failure('ABORTED'))
    describing.delete(id)
    holds.get(id)?.()
    holds.delete(id)
    seen.delete(id)
    const { approvals } = store.getState()
    const left = approvals.filter(({ request }) => request.id !== id)
    if (left.length === approvals.length) return
    store.setState({ approvals: left })
    if (left.length > 0 || openedKey === null) return
    const isOurs = store.getState().opening.key === openedKey
    openedKey = null
    if (!isOurs) return
    isClosing = true
    modal.close()
    isClosing = false
  }

  function hold(id: string, status: Approval['status'], milliseconds: number): void {
    change(id, { status })
    after(id, milliseconds, () => remove(id))
  }

  /** One timer per request. */
  function after(id: string, milliseconds: number, task: () => void): void {
    holds.get(id)?.()
    holds.set(id, clock.after(milliseconds, task))
  }

  function onSuccess(id: string, result: unknown): void {
    const request = approved.get(id)
    approved.delete(id)
    const sent = request === undefined ? null : sentBy(request, result)
    if (request === undefined || sent === null) remove(id)
    else onSent(request, sent)
  }

  function onSent(request: ApprovalRequest, sent: Sent): void {
    const { id } = request
    if (find(id)?.asker !== undefined) remove(id)
    else if (find(id) !== undefined) {
      change(id, { status: { kind: 'sent', hash: sent.hash } })
      after(id, sentHold, () => {
        seen.add(id)
        after(id, limits.sendTransactionWait - sentHold, () => remove(id))
        makeRoom()
      })
    }
    void follow(request, sent)
  }

  function makeRoom(): void {
    const { approvals } = store.getState()
    if (approvals.some(({ status }) => status.kind === 'waiting')) for (const id of [...seen]) remove(id)
  }

  async function follow({ id, networkId }: ApprovalRequest, sent: Sent): Promise<void> {
    const { signal } = followed
    try {
      const followSent = await options.followSent()
      const ended = await followSent(sent, { networkId, client: options.clientOf(networkId), ask, clock, signal })
      if (!signal.aborted) onEnded(id, ended)
    } catch {
      // The outcome stays unknown.
    }
  }

  function onEnded(id: string, { outcome, hash }: Ended): void {
    if (outcome.kind !== 'unknown') options.onEnded()
    if (find(id) === undefined) {
      const { open, transactions } = store.getState()
      // 7: the feature's view reports it
      const isTold = transactions.some(({ status }) => 'hash' in status && status.hash !== null && status.hash === hash)
      const told = bad.get(outcome.kind)
      if (told !== undefined && open && !isTold) modal.notifyFailure(told)
      return
    }
    seen.delete(id)
    change(id, { status: { kind: 'ended', outcome, hash } })
    if (isGood(outcome)) after(id, confirmedHold, () => remove(id))
    else {
      holds.get(id)?.()
      holds.delete(id)
    }
  }

  function onFailure(id: string, thrown: unknown): void {
    const failure = asFailure(thrown)
    const request = approved.get(id)
    approved.delete(id)
    const kind = find(id)?.status.kind
    if (kind === 'failed') return
    const sent = request === undefined ? null : perhapsSentBy(request, failure)
    if (request !== undefined && sent !== null) {
      onSent(request, sent)
      return
    }
    const { code, message } = failure
    const isPutAway = code === 'USER_REJECTED' || code === 'ABORTED' || code === 'LINK_CLOSED'
    if (isPutAway || kind !== 'signing') remove(id)
    else hold(id, { kind: 'failed', code, message }, failedHold)
  }

  async function approve(id: string): Promise<void> {
    const approval = find(id)
    if (approval?.status.kind !== 'waiting' || approval.request.blocked !== undefined) return
    const { digest, networkId } = approval.request
    const owner = ownerOf(ownAccounts(store.getState(), parseCaipNetworkId(networkId).namespace))
    change(id, { status: { kind: 'signing' } })
    approved.set(id, approval.request)
    try {
      await ask('APPROVE', { id, digest })
      if (owner !== undefined) known.add(owner, counterparties(approval.intent))
    } catch (thrown) {
      const { code, message } = asFailure(thrown)
      // The request's own failure says more.
      if (find(id)?.status.kind === 'signing') hold(id, { kind: 'failed', code, message }, failedHold)
      requests.get(id)?.abort(asFailure(thrown))
    }
  }

  function reject(id: string): void {
    const approval = find(id)
    if (approval === undefined || approval.status.kind === 'signing') return
    if (approval.status.kind === 'waiting') refuse(id)
    remove(id)
  }

  /** Also aborts the request, in case the frame does not accept the rejection. */
  function refuse(id: string): void {
    const off = () => requests.get(id)?.abort(new Failure('USER_REJECTED'))
    ask('REJECT', { id }).then(off, off)
  }

  function rejectAll(): void {
    const { approvals } = store.getState()
    const isOpen = (id: string) => find(id)?.status.kind === 'waiting'
    for (const { request } of approvals) if (isOpen(request.id)) refuse(request.id)
    // Approved requests are carried out, even if dismissed.
    for (const [id, request] of requests)
      if (find(id) === undefined && !approved.has(id)) request.abort(new Failure('USER_REJECTED'))
    openedKey = null
    for (const { request } of approvals) remove(request.id)
  }

  const unlisten = modal.onClose(() => {
    if (!isClosing) rejectAll()
  })
  return {
    onNotice(notice) {
      if (notice.name === 'APPROVAL_REQUEST') add(notice.request)
      if (notice.name === 'APPROVAL_CLOSED' && find(notice.id)?.status.kind === 'waiting') remove(notice.id)
    },
    track(request) {
      if (classifyRpcMethod(request.method) !== 'notSafe') return
      requests.set(request.id, request)
      request.done.then(
        (result) => {
          requests.delete(request.id)
          onSuccess(request.id, result)
        },
        (thrown) => {
          requests.delete(request.id)
          onFailure(request.id, thrown)
        },
      )
    },
    approve: (id) => void approve(id),
    reject,
    rejectAll,
    drop() {
      for (const { request, status } of store.getState().approvals)
        if (status.kind !== 'sent' && status.kind !== 'ended') remove(request.id)
    },
    end() {
      unlisten()
      followed.abort(new Failure('ABORTED'))
      openedKey = null
      for (const { request } of store.getState().approvals) remove(request.id)
    },
  }
}

const nativeDecimals = { eip155: 18, solana: 9, bip122: 8 } as const

function ownAccounts({ connections }: HostSnapshot, namespace: Namespace): readonly Account[] {
  const connection = connections[namespace]
  return connection?.status === 'connected' ? connection.accounts : []
}

/** The plain and the smart account are one user's: always pick the same. */
function ownerOf(accounts: readonly Account[]): Account | undefined {
  return accounts.find(({ type }) => type === 'eoa') ?? accounts[0]
}

const isGood = ({ kind }: SentOutcome) => kind === 'confirmed' || kind === 'repriced'

/** Reported even off screen. */
const bad: ReadonlyMap<SentOutcome['kind'], ErrorCode> = new Map<SentOutcome['kind'], ErrorCode>([
  ['reverted', 'TRANSACTION_REVERTED'],
  ['partlyReverted', 'TRANSACTION_REVERTED'],
  ['replaced', 'TRANSACTION_REPLACED'],
])

function counterparties(intent: Intent | null): readonly string[] {
  return (intent?.steps ?? []).flatMap((step) => {
    if (step.kind === 'transfer') return [step.to]
    if (step.kind === 'approve' || step.kind === 'permit' || step.kind === 'approveAll') return [step.spender]
    if (step.kind === 'swap') return [step.contract, step.recipient]
    if (step.kind === 'call') return [step.contract]
    if (step.kind === 'outputs') return step.outputs.flatMap(({ to, own }) => (own ? [] : [to]))
    return []
  })
}
