import { readCancelled } from '@postern/chains/outcomes/cancelled'
import { type ApprovalRequest, type ErrorCode, isSendingRpcMethod, limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Ended } from '../requests/follow-sent'
import type { Sent } from '../requests/sent/sent'
import { possiblySentBy, sentBy } from '../requests/sent/sent-by'
import type { Approval, SentOutcome } from '../snapshot/contract'

/** Finished requests are dismissed after this time (ms). */
export const confirmedHoldMs = 2_500
export const failedHoldMs = 6_000
/** Min display time of a sent transaction before a waiting request takes over (ms). */
export const sentHoldMs = 1_500

type Running = {
  readonly asker: Approval['asker'] | null
  readonly approved: ApprovalRequest | null
}

type Shown = {
  readonly approval: Approval
  /** Interrupted, or on screen as sent for {@link sentHoldMs}. */
  readonly canYield: boolean
}

export type ApprovalsState = {
  /** By id, with requests in preparation and approved ones that were dismissed. */
  readonly running: ReadonlyMap<string, Running>
  readonly shown: readonly Shown[]
  /** Key of the opening that only shows approvals. */
  readonly openedKey: number | null
}

export type ApprovalsEvent =
  | { readonly type: 'started'; readonly id: string; readonly asker: Approval['asker'] | null }
  | { readonly type: 'requested'; readonly request: ApprovalRequest; readonly isModalOpen: boolean }
  | { readonly type: 'opened'; readonly key: number }
  /** In CSS px. */
  | { readonly type: 'measured'; readonly id: string; readonly height: number }
  | { readonly type: 'approved'; readonly id: string }
  /** Also dismisses a finished request. */
  | { readonly type: 'reject'; readonly id: string }
  /** The user closed the modal, or the dapp requested a method that is not allowed. */
  | { readonly type: 'rejectAll' }
  | { readonly type: 'drawingFailed'; readonly id: string; readonly failure: Failure }
  | { readonly type: 'withdrawn'; readonly id: string }
  | { readonly type: 'succeeded'; readonly id: string; readonly result: unknown }
  | { readonly type: 'failed'; readonly id: string; readonly failure: Failure }
  | { readonly type: 'ended'; readonly id: string; readonly ended: Ended }
  | { readonly type: 'timeout'; readonly id: string }
  | { readonly type: 'frameLost' }
  | { readonly type: 'end' }

export type ApprovalsCommand =
  | { readonly type: 'openModal' }
  /** Unless the modal was opened for something else meanwhile. */
  | { readonly type: 'closeModal'; readonly key: number }
  | { readonly type: 'startTimer'; readonly id: string; readonly delayMs: number }
  | { readonly type: 'stopTimer'; readonly id: string }
  | { readonly type: 'release'; readonly id: string }
  /** Also aborts, in case the frame ignores the rejection. */
  | { readonly type: 'refuse'; readonly id: string }
  | { readonly type: 'abort'; readonly id: string; readonly failure: Failure }
  | { readonly type: 'follow'; readonly request: ApprovalRequest; readonly sent: Sent }
  | { readonly type: 'refreshBalance' }
  | { readonly type: 'notify'; readonly code: ErrorCode; readonly hash: string | null }

type Step = readonly [state: ApprovalsState, commands: readonly ApprovalsCommand[]]

export const noApprovals: ApprovalsState = { running: new Map(), shown: [], openedKey: null }

/**
 * The embedded wallet's requests that wait for the user's approval (spec §4, §6).
 *
 * 1. The frame shows the requests in order of arrival. The user approves inside the frame only; the modal can decline.
 * 2. A closed modal opens at ApproveTransaction and closes after the last request, unless opened for something else
 *    meanwhile. An open modal restores its view.
 * 3. Closing the modal rejects every request not approved yet, even while being prepared: USER_REJECTED.
 * 4. A sent transaction is dismissed when its outcome is known, a failure after its reason was shown, a rejected or
 *    cancelled request at once; the user may dismiss sooner. A request whose frame is gone says that nothing was sent,
 *    or that a payment may have been.
 * 5. The frame draws the first request, waiting or approved. A request that it cannot draw fails with the reason.
 * 6. A transaction that was or may have been sent is followed until it ends, even off screen. While its outcome is
 *    unknown, it stays on screen for at most 25 s, less if a request waits. Good news is dismissed after a moment; bad
 *    news stays, or appears at the bottom of the card over another view.
 * 7. A feature's own transaction is reported by its view, and dismissed here once sent. A replacement is followed as
 *    the replaced transaction.
 * 8. An event that changes nothing returns the same object.
 * 9. A request that could not be prepared for lack of a network is shown too; the user can retry.
 */
export function reduceApprovals(state: ApprovalsState, event: ApprovalsEvent): Step {
  switch (event.type) {
    case 'started':
      return [setRunning(state, event.id, { asker: event.asker, approved: null }), []]
    case 'requested':
      return request(state, event)
    case 'opened':
      return [{ ...state, openedKey: event.key }, []]
    case 'measured':
      return [change(state, event.id, { height: event.height }), []]
    case 'approved':
      return [approve(state, event.id), []]
    case 'drawingFailed': {
      const abort: ApprovalsCommand = { type: 'abort', id: event.id, failure: event.failure }
      if (statusOf(state, event.id) !== 'waiting') return [state, []]
      const [next, commands] = showFailure(state, event)
      return [next, [...commands, abort]]
    }
    case 'reject': {
      const status = statusOf(state, event.id)
      if (status === undefined || status === 'signing') return [state, []]
      const [next, commands] = remove(state, (id) => id === event.id)
      return [next, status === 'waiting' ? [{ type: 'refuse', id: event.id }, ...commands] : commands]
    }
    case 'rejectAll':
      return rejectAll(state)
    case 'withdrawn':
      return statusOf(state, event.id) === 'waiting' ? remove(state, (id) => id === event.id) : [state, []]
    case 'succeeded': {
      const { id, result } = event
      const approved = state.running.get(id)?.approved ?? null
      const sent = approved === null ? null : sentBy(approved, result)
      const settled = removeRunning(state, id)
      return approved === null || sent === null
        ? remove(settled, (one) => one === id)
        : showSent(settled, approved, sent)
    }
    case 'failed':
      return fail(state, event)
    case 'ended':
      return showOutcome(state, event.id, event.ended)
    case 'timeout':
      return reduceTimeout(state, event.id)
    case 'frameLost': {
      return state.shown.reduce<Step>(
        ([before, commands], { approval }) => {
          const [next, more] = interrupt(before, approval)
          return [next, [...commands, ...more]]
        },
        [state, []],
      )
    }
    case 'end': {
      const [, commands] = remove({ ...state, openedKey: null }, () => true)
      return [noApprovals, commands]
    }
  }
}

function request(state: ApprovalsState, event: Extract<ApprovalsEvent, { type: 'requested' }>): Step {
  const { id } = event.request
  const before = find(state, id)
  // Rule 9.
  if (before !== undefined) return [isUnprepared(before) ? change(state, id, { request: event.request }) : state, []]
  const asker = state.running.get(id)?.asker ?? null
  const approval: Approval = {
    request: event.request,
    ...(asker !== null && { asker }),
    height: null,
    status: { kind: 'waiting' },
  }
  const [next, commands] = makeRoom({ ...state, shown: [...state.shown, { approval, canYield: false }] })
  const open: readonly ApprovalsCommand[] = event.isModalOpen ? [] : [{ type: 'openModal' }]
  return [next, [...open, ...commands]]
}

function approve(state: ApprovalsState, id: string): ApprovalsState {
  const approval = find(state, id)
  if (approval?.status.kind !== 'waiting' || approval.request.blocked !== undefined) return state
  const asker = state.running.get(id)?.asker ?? null
  const signing = change(state, id, { status: { kind: 'signing' } })
  return setRunning(signing, id, { asker, approved: approval.request })
}

/** Rule 5. */
export function drawnApproval({ shown: [first] }: ApprovalsState): Approval | null {
  const kind = first?.approval.status.kind
  return first !== undefined && (kind === 'waiting' || kind === 'signing') ? first.approval : null
}

function rejectAll(state: ApprovalsState): Step {
  const waiting = state.shown.flatMap(({ approval }) =>
    approval.status.kind === 'waiting' ? [approval.request.id] : [],
  )
  // Approved requests are carried out, even if dismissed.
  const preparing = [...state.running].flatMap(([id, { approved }]) =>
    approved === null && find(state, id) === undefined ? [id] : [],
  )
  const [next, commands] = remove(state.openedKey === null ? state : { ...state, openedKey: null }, () => true)
  return [
    next,
    [
      ...waiting.map((id): ApprovalsCommand => ({ type: 'refuse', id })),
      ...preparing.map((id): ApprovalsCommand => ({ type: 'abort', id, failure: new Failure('USER_REJECTED') })),
      ...commands,
    ],
  ]
}

function fail(state: ApprovalsState, { id, failure }: { readonly id: string; readonly failure: Failure }): Step {
  const approved = state.running.get(id)?.approved ?? null
  const status = statusOf(state, id)
  const before = find(state, id)
  const settled = removeRunning(state, id)
  if (status === 'failed' || status === 'ended') return [settled, []]
  const sent = approved === null ? null : possiblySentBy(approved, failure)
  if (approved !== null && sent !== null) return showSent(settled, approved, sent)
  const cancellation = readCancelled(failure)
  if (cancellation !== null && find(state, id)?.asker === undefined)
    return showOutcome(settled, id, { outcome: { kind: 'cancelled' }, hash: cancellation.transactionHash })
  const { code } = failure
  const isDismissed = code === 'USER_REJECTED' || code === 'ABORTED' || code === 'LINK_CLOSED'
  if (isDismissed || (status !== 'signing' && !isUnprepared(before))) return remove(settled, (one) => one === id)
  return showFailure(settled, { id, failure })
}

/** Rule 9. */
function isUnprepared(approval: Approval | undefined): boolean {
  return approval?.status.kind === 'waiting' && approval.request.blocked === 'NETWORK_UNREACHABLE'
}

/** Rule 4: the frame is gone. */
function interrupt(state: ApprovalsState, { request, status: { kind } }: Approval): Step {
  if (kind !== 'waiting' && kind !== 'signing') return [state, []]
  const isDoubtful = kind === 'signing' && isSendingRpcMethod(request.method)
  const [next, commands]: Step = isDoubtful
    ? [change(state, request.id, { status: { kind: 'ended', outcome: { kind: 'unknown' }, hash: null } }), []]
    : showFailure(state, { id: request.id, failure: new Failure('REQUEST_INTERRUPTED') })
  const shown = next.shown.map((one) => (one.approval.request.id === request.id ? { ...one, canYield: true } : one))
  return [{ ...next, shown }, commands]
}

function showFailure(state: ApprovalsState, { id, failure }: { readonly id: string; readonly failure: Failure }): Step {
  const { code, message } = failure
  return [
    change(state, id, { status: { kind: 'failed', code, message } }),
    [{ type: 'startTimer', id, delayMs: failedHoldMs }],
  ]
}

function showSent(state: ApprovalsState, request: ApprovalRequest, sent: Sent): Step {
  const { id } = request
  const follow: ApprovalsCommand = { type: 'follow', request, sent }
  const approval = find(state, id)
  if (approval === undefined) return [state, [follow]]
  if (approval.asker !== undefined) {
    const [next, commands] = remove(state, (one) => one === id)
    return [next, [...commands, follow]]
  }
  return [
    change(state, id, { status: { kind: 'sent', hash: sent.hash } }),
    [{ type: 'startTimer', id, delayMs: sentHoldMs }, follow],
  ]
}

function showOutcome(state: ApprovalsState, id: string, { outcome, hash }: Ended): Step {
  const refresh: readonly ApprovalsCommand[] = outcome.kind === 'unknown' ? [] : [{ type: 'refreshBalance' }]
  if (find(state, id) === undefined) {
    const code = badNews.get(outcome.kind)
    return [state, code === undefined ? refresh : [...refresh, { type: 'notify', code, hash }]]
  }
  const timer: ApprovalsCommand = isGoodNews(outcome)
    ? { type: 'startTimer', id, delayMs: confirmedHoldMs }
    : { type: 'stopTimer', id }
  return [change(state, id, { status: { kind: 'ended', outcome, hash } }), [...refresh, timer]]
}

function reduceTimeout(state: ApprovalsState, id: string): Step {
  const shown = state.shown.find(({ approval }) => approval.request.id === id)
  if (shown?.approval.status.kind !== 'sent' || shown.canYield) return remove(state, (one) => one === id)
  const [next, commands] = makeRoom({
    ...state,
    shown: state.shown.map((one) => (one === shown ? { ...one, canYield: true } : one)),
  })
  const delayMs = limits.sendTransactionWait - sentHoldMs
  return [next, [{ type: 'startTimer', id, delayMs }, ...commands]]
}

function makeRoom(state: ApprovalsState): Step {
  if (!state.shown.some(({ approval }) => approval.status.kind === 'waiting')) return [state, []]
  const yielding = new Set(state.shown.flatMap(({ approval, canYield }) => (canYield ? [approval.request.id] : [])))
  return remove(state, (id) => yielding.has(id))
}

function remove(state: ApprovalsState, isGone: (id: string) => boolean): Step {
  const gone = state.shown.filter(({ approval }) => isGone(approval.request.id))
  if (gone.length === 0) return [state, []]
  const released = gone.map(({ approval }): ApprovalsCommand => ({ type: 'release', id: approval.request.id }))
  const shown = state.shown.filter((one) => !gone.includes(one))
  const { openedKey } = state
  if (shown.length > 0 || openedKey === null) return [{ ...state, shown }, released]
  return [{ ...state, shown, openedKey: null }, [...released, { type: 'closeModal', key: openedKey }]]
}

function change(
  state: ApprovalsState,
  id: string,
  changes: Partial<Pick<Approval, 'request' | 'height' | 'status'>>,
): ApprovalsState {
  if (find(state, id) === undefined) return state
  const shown = state.shown.map((one) => {
    if (one.approval.request.id !== id) return one
    return { approval: { ...one.approval, ...changes }, canYield: one.canYield && changes.status === undefined }
  })
  return { ...state, shown }
}

function setRunning(state: ApprovalsState, id: string, running: Running): ApprovalsState {
  return { ...state, running: new Map(state.running).set(id, running) }
}

function removeRunning(state: ApprovalsState, id: string): ApprovalsState {
  if (!state.running.has(id)) return state
  return { ...state, running: new Map([...state.running].filter(([other]) => other !== id)) }
}

function find({ shown }: ApprovalsState, id: string): Approval | undefined {
  return shown.find(({ approval }) => approval.request.id === id)?.approval
}

function statusOf(state: ApprovalsState, id: string): Approval['status']['kind'] | undefined {
  return find(state, id)?.status.kind
}

function isGoodNews({ kind }: SentOutcome): boolean {
  return kind === 'confirmed' || kind === 'repriced'
}

const badNews: ReadonlyMap<SentOutcome['kind'], ErrorCode> = new Map<SentOutcome['kind'], ErrorCode>([
  ['reverted', 'TRANSACTION_REVERTED'],
  ['partlyReverted', 'TRANSACTION_REVERTED'],
  ['replaced', 'TRANSACTION_REPLACED'],
])
