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
import type { DescribeApproval, Intent } from '../intent/contract'
import type { Ended, FollowSent } from '../requests/follow-sent'
import { perhapsSentBy, type Sent, sentBy } from '../requests/sent'
import type { Approval, HostSnapshot, SentOutcome } from '../snapshot/contract'
import type { Modal } from '../snapshot/modal'
import type { SnapshotStore } from '../snapshot/store'

/** How long good news, and what went wrong, stay on show before the modal closes by itself, in ms. */
export const confirmedHold = 2_500
export const failedHold = 6_000
/** How long what was sent is seen at least, before a request that waits takes its place, in ms. */
export const sentHold = 1_500

export type Approvals = {
  onNotice(notice: WalletFrameNotice): void
  /** A request begins; it may need an approval. */
  track(request: WalletRpc): void
  approve(id: string): void
  /** Of one that is over: puts it away. */
  reject(id: string): void
  /** Every not-safe request that nobody approved yet. */
  rejectAll(): void
  /** The frame is gone: nothing that it asked can be answered. */
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
  /** Loads what finds out what became of what was sent. */
  readonly followSent: () => Promise<FollowSent>
  /** What was sent ended: balances may be other ones. */
  readonly onEnded: () => void
}

/**
 * The not-safe requests of the embedded wallet that wait for the visitor (spec §4, §6).
 *
 * 1. Each is shown as the frame prepared it, in the order in which they came. Nothing is approved but by its id and the digest of what is on show;
 *    one that is blocked cannot be approved.
 * 2. A closed modal opens at ApproveTransaction and closes after the last one, unless it was opened for something else meanwhile. An open one keeps
 *    what is beneath, and shows it again.
 * 3. Closing the modal rejects everything that was not approved yet, what is still being prepared too: USER_REJECTED.
 * 4. Success and failure of the request put it away, what was sent once it is known how it ended (6), a failure after its reason was read; the
 *    visitor may put either away sooner. A refusal, a request that was called off, and one whose frame is gone are put away at once.
 * 5. Described as far as it can be: at once without the chain, then with what the chain says. A description never approves anything.
 * 6. What was sent, and what may have been, is followed until it ended, whether it is on show or not, and the page has its answer meanwhile. It stays on show for 25 s at
 *    most while nothing is known, and gives its place sooner to a request that waits. Good news are put away after a moment; bad news stay until
 *    the visitor puts them away, and are told at the foot of the card where something else is on show by then.
 * 7. What a feature of the modal asked for is told by that feature's own view: put away as soon as it is sent.
 */
export function createApprovals(options: ApprovalOptions): Approvals {
  const { store, clock, modal, ask, known } = options
  const requests = new Map<string, WalletRpc>()
  const describing = new Map<string, AbortController>()
  const holds = new Map<string, () => void>()
  /** Approved, and without an answer yet. */
  const approved = new Map<string, ApprovalRequest>()
  /** Sent, and seen for long enough to give its place to what waits. */
  const seen = new Set<string>()
  const followed = new AbortController()
  /** The opening that shows approvals and nothing else. */
  let openedKey: number | null = null
  /** The close is our own, and no word of the visitor's about what is still being prepared. */
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
    // 2.
    if (!open) {
      modal.open('ApproveTransaction')
      openedKey = store.getState().opening.key
    }
    makeRoom()
    void explain(request)
  }

  /** 5. */
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
      // What cannot be described is shown by its raw bytes, which need no description.
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

  /** One thing at a time is waited for of each. */
  function after(id: string, milliseconds: number, task: () => void): void {
    holds.get(id)?.()
    holds.set(id, clock.after(milliseconds, task))
  }

  /** 4. */
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

  /** 6. */
  function makeRoom(): void {
    const { approvals } = store.getState()
    if (approvals.some(({ status }) => status.kind === 'waiting')) for (const id of [...seen]) remove(id)
  }

  /** 6. */
  async function follow({ id, networkId }: ApprovalRequest, sent: Sent): Promise<void> {
    const { signal } = followed
    try {
      const followSent = await options.followSent()
      const ended = await followSent(sent, { networkId, client: options.clientOf(networkId), ask, clock, signal })
      if (!signal.aborted) onEnded(id, ended)
    } catch {
      // Over with the page, or its code did not arrive: then it is as unknown as before.
    }
  }

  function onEnded(id: string, { outcome, hash }: Ended): void {
    if (outcome.kind !== 'unknown') options.onEnded()
    if (find(id) === undefined) {
      const { open, transactions } = store.getState()
      // 7.
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
    // 6.
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
      // What the request itself says is better, where it has said so already.
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

  /** A frame that does not take the refusal has the request called off: it settles either way. */
  function refuse(id: string): void {
    const off = () => requests.get(id)?.abort(new Failure('USER_REJECTED'))
    ask('REJECT', { id }).then(off, off)
  }

  /** 3. */
  function rejectAll(): void {
    const { approvals } = store.getState()
    const isOpen = (id: string) => find(id)?.status.kind === 'waiting'
    for (const { request } of approvals) if (isOpen(request.id)) refuse(request.id)
    // One that was approved is carried out, also where an earlier close put it away.
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
      // What was sent needs no frame any more.
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

/** Of the plain and the smart account, which are one visitor's, always the same one. */
function ownerOf(accounts: readonly Account[]): Account | undefined {
  return accounts.find(({ type }) => type === 'eoa') ?? accounts[0]
}

const isGood = ({ kind }: SentOutcome) => kind === 'confirmed' || kind === 'repriced'

/** What is told of those that nobody looks at any more. */
const bad: ReadonlyMap<SentOutcome['kind'], ErrorCode> = new Map<SentOutcome['kind'], ErrorCode>([
  ['reverted', 'TRANSACTION_REVERTED'],
  ['partlyReverted', 'TRANSACTION_REVERTED'],
  ['replaced', 'TRANSACTION_REPLACED'],
])

/** Whom the visitor dealt with by approving this. */
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
