import type { Clock } from '@postern/base/clock'
import { runMachine } from '@postern/base/run-machine'
import type { ChainClient } from '@postern/chains/chain-client'
import type { ApprovalRequest, CaipNetworkId, ReplacementKind, WalletFrameNotice } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { WalletRpc } from '../connectors/embedded/index'
import type { AskWallet, WalletFrame } from '../connectors/embedded/wallet-frame/wallet-frame'
import type { Ended, FollowSent } from '../requests/follow-sent'
import type { Sent } from '../requests/sent/sent'
import type { Approval, HostSnapshot } from '../snapshot/contract'
import type { Modal } from '../snapshot/modal'
import type { SnapshotStore } from '../snapshot/store'
import {
  type ApprovalsCommand,
  type ApprovalsEvent,
  type ApprovalsState,
  drawnApproval,
  noApprovals,
  reduceApprovals,
} from './approvals-machine'

export type ShownApprovals = {
  onNotice(notice: WalletFrameNotice): void
  track(request: Tracked): void
  reject(id: string): void
  rejectAll(): void
  drop(): void
  end(): void
}

type Tracked = Pick<WalletRpc, 'id' | 'asker' | 'done' | 'abort'>

export type ApprovalOptions = {
  readonly store: SnapshotStore
  readonly clock: Clock
  readonly modal: Modal
  readonly ask: AskWallet
  readonly tell: WalletFrame['tell']
  readonly clientOf: (networkId: CaipNetworkId) => ChainClient
  readonly followSent: () => Promise<FollowSent>
  readonly onEnded: () => void
  /** A transaction that the user sped up or cancelled has ended. `hash`: as first sent. */
  readonly onReplaced: (hash: string, ended: Ended) => void
}

/** Shows the requests that the wallet's frame draws, and their outcome (`approvals-machine.ts`). */
export function createShownApprovals(options: ApprovalOptions): ShownApprovals {
  const { store, clock, modal, ask } = options
  const requests = new Map<string, Tracked>()
  const timers = createTimers(clock, (id) => dispatch({ type: 'timeout', id }))
  const ending = new AbortController()
  let isOwnClose = false

  const { dispatch } = runMachine<ApprovalsState, ApprovalsEvent, ApprovalsCommand>({
    initial: noApprovals,
    reduce: reduceApprovals,
    // The view is on screen before a command closes or moves it.
    carryOut({ before, state, commands }) {
      if (state.shown !== before.shown) show(state, before)
      for (const command of commands) execute(command)
    },
  })
  const stopListening = modal.onClose(() => {
    if (!isOwnClose) dispatch({ type: 'rejectAll' })
  })

  function show(state: ApprovalsState, before: ApprovalsState): void {
    store.setState({ approvals: state.shown.map(({ approval }) => approval) })
    const [now, then] = [drawnApproval(state), drawnApproval(before)]
    if (now?.request.id === then?.request.id) return
    if (now !== null) void draw(now)
    else options.tell('HIDE_APPROVAL', undefined)
  }

  function execute(command: ApprovalsCommand): void {
    switch (command.type) {
      case 'openModal':
        modal.open('ApproveTransaction')
        dispatch({ type: 'opened', key: store.getState().opening.key })
        break
      case 'closeModal':
        closeModal(command.key)
        break
      case 'startTimer':
        timers.start(command.id, command.delayMs)
        break
      case 'stopTimer':
        timers.stop(command.id)
        break
      case 'release':
        timers.stop(command.id)
        break
      case 'refuse': {
        const abort = () => requests.get(command.id)?.abort(new Failure('USER_REJECTED'))
        ask('REJECT', { id: command.id }).then(abort, abort)
        break
      }
      case 'abort':
        requests.get(command.id)?.abort(command.failure)
        break
      case 'follow':
        void follow(command.request, command.sent)
        break
      case 'refreshBalance':
        options.onEnded()
        break
      case 'notify':
        // Rule 7 of `approvals-machine.ts`: the feature's view reports it.
        if (store.getState().open && !isOfFeature(command.hash, store.getState())) modal.notifyFailure(command.code)
    }
  }

  function closeModal(key: number): void {
    if (store.getState().opening.key !== key) return
    isOwnClose = true
    modal.close()
    isOwnClose = false
  }

  async function draw({ request: { id }, asker }: Approval): Promise<void> {
    try {
      await ask('SHOW_APPROVAL', { id, ...(asker !== undefined && { asker }) })
    } catch (thrown) {
      dispatch({ type: 'drawingFailed', id, failure: asFailure(thrown) })
    }
  }

  async function follow({ id, networkId, subject }: ApprovalRequest, sent: Sent): Promise<void> {
    const { signal } = ending
    try {
      const followSent = await options.followSent()
      const ended = await followSent(sent, { networkId, client: options.clientOf(networkId), ask, clock, signal })
      if (signal.aborted) return
      dispatch({ type: 'ended', id, ended })
      if ('replaces' in subject && subject.replaces) settleReplaced(subject.replaces, ended)
    } catch {
      // The outcome stays unknown.
    }
  }

  function settleReplaced({ kind, hash }: { readonly kind: ReplacementKind; readonly hash: string }, ended: Ended) {
    options.onReplaced(hash, ended)
    const { kind: end } = ended.outcome
    const isTooLate = kind === 'cancel' && (end === 'confirmed' || end === 'repriced')
    if (isTooLate && store.getState().open) modal.notifyFailure('TRANSACTION_MINED')
  }

  return {
    onNotice(notice) {
      if (notice.name === 'APPROVAL_REQUEST')
        dispatch({ type: 'requested', request: notice.request, isModalOpen: store.getState().open })
      if (notice.name === 'APPROVED') dispatch({ type: 'approved', id: notice.id })
      if (notice.name === 'SCREEN_HEIGHT') dispatch({ type: 'measured', id: notice.id, height: notice.height })
      if (notice.name === 'APPROVAL_CLOSED') dispatch({ type: 'withdrawn', id: notice.id })
    },
    track(request) {
      const { id, asker, done } = request
      requests.set(id, request)
      dispatch({ type: 'started', id, asker })
      done.then(
        (result) => {
          requests.delete(id)
          dispatch({ type: 'succeeded', id, result })
        },
        (thrown) => {
          requests.delete(id)
          dispatch({ type: 'failed', id, failure: asFailure(thrown) })
        },
      )
    },
    reject: (id) => dispatch({ type: 'reject', id }),
    rejectAll: () => dispatch({ type: 'rejectAll' }),
    drop: () => dispatch({ type: 'frameLost' }),
    end() {
      stopListening()
      ending.abort(new Failure('ABORTED'))
      dispatch({ type: 'end' })
    },
  }
}

function createTimers(clock: Clock, onTimeout: (id: string) => void) {
  const stops = new Map<string, () => void>()
  const stop = (id: string) => {
    stops.get(id)?.()
    stops.delete(id)
  }
  return {
    start(id: string, delayMs: number): void {
      stop(id)
      stops.set(
        id,
        clock.after(delayMs, () => onTimeout(id)),
      )
    },
    stop,
  }
}

function isOfFeature(hash: string | null, { transactions }: HostSnapshot): boolean {
  return hash !== null && transactions.some(({ status }) => 'hash' in status && status.hash === hash)
}
