import { type ApprovalRequest, classifyRpcMethod, type WalletFrameNotice } from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { WalletRpc } from '../connectors/embedded/index'
import type { AskWallet } from '../connectors/embedded/wallet-frame/wallet-frame'
import type { DescribeApproval } from '../intent/intent'
import type { FollowSent } from '../requests/follow-sent'
import type { Sent } from '../requests/sent'
import type { Approval, HostSnapshot } from '../snapshot/contract'
import type { Modal } from '../snapshot/modal'
import { runMachine } from '../snapshot/run-machine'
import type { SnapshotStore } from '../snapshot/store'
import {
  type ApprovalsCommand,
  type ApprovalsEvent,
  type ApprovalsState,
  noApprovals,
  reduceApprovals,
} from './approvals-machine'
import { approverOf, counterpartiesOf, type DescriptionSources, describeContext } from './describe-approval'

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

export type ApprovalOptions = DescriptionSources & {
  readonly store: SnapshotStore
  readonly clock: Clock
  readonly modal: Modal
  readonly ask: AskWallet
  readonly describe: () => Promise<DescribeApproval>
  readonly followSent: () => Promise<FollowSent>
  /** Balances may have changed. */
  readonly onEnded: () => void
}

/** Shows the embedded wallet's requests and carries out the user's answers: runs the machine of `approvals-machine.ts`. */
export function createApprovals(options: ApprovalOptions): Approvals {
  const { store, clock, modal, ask, known } = options
  const requests = new Map<string, WalletRpc>()
  const descriptions = new Map<string, AbortController>()
  const timers = createTimers(clock, (id) => dispatch({ type: 'timeout', id }))
  const ending = new AbortController()
  let isOwnClose = false

  const { dispatch } = runMachine<ApprovalsState, ApprovalsEvent, ApprovalsCommand>({
    initial: noApprovals,
    reduce: reduceApprovals,
    execute,
    onChange({ shown }, before) {
      if (shown !== before.shown) store.setState({ approvals: shown.map(({ approval }) => approval) })
    },
  })
  const stopListening = modal.onClose(() => {
    if (!isOwnClose) dispatch({ type: 'rejectAll' })
  })

  function execute(command: ApprovalsCommand): void {
    switch (command.type) {
      case 'openModal':
        modal.open('ApproveTransaction')
        dispatch({ type: 'opened', key: store.getState().opening.key })
        break
      case 'closeModal':
        closeModal(command.key)
        break
      case 'describe':
        void explain(command.request)
        break
      case 'startTimer':
        timers.start(command.id, command.delayMs)
        break
      case 'stopTimer':
        timers.stop(command.id)
        break
      case 'release':
        timers.stop(command.id)
        descriptions.get(command.id)?.abort(new Failure('ABORTED'))
        descriptions.delete(command.id)
        break
      case 'approve':
        void approve(command.approval)
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
        // 7: the feature's view reports it
        if (store.getState().open && !isOfFeature(command.hash, store.getState())) modal.notifyFailure(command.code)
    }
  }

  function closeModal(key: number): void {
    if (store.getState().opening.key !== key) return
    isOwnClose = true
    modal.close()
    isOwnClose = false
  }

  async function explain(request: ApprovalRequest): Promise<void> {
    const controller = new AbortController()
    const { signal } = controller
    descriptions.set(request.id, controller)
    const context = describeContext(request, store.getState(), options, signal)
    try {
      const describeApproval = await options.describe()
      await describeApproval(request, context, (intent) => {
        if (!signal.aborted) dispatch({ type: 'described', id: request.id, intent })
      })
    } catch {
      // Shown by its raw bytes.
    }
  }

  async function approve(approval: Approval): Promise<void> {
    const { id, digest } = approval.request
    const approver = approverOf(approval.request, store.getState())
    try {
      await ask('APPROVE', { id, digest })
      if (approver !== undefined) known.add(approver, counterpartiesOf(approval))
    } catch (thrown) {
      dispatch({ type: 'approvalFailed', id, failure: asFailure(thrown) })
    }
  }

  async function follow({ id, networkId }: ApprovalRequest, sent: Sent): Promise<void> {
    const { signal } = ending
    try {
      const followSent = await options.followSent()
      const ended = await followSent(sent, { networkId, client: options.clientOf(networkId), ask, clock, signal })
      if (!signal.aborted) dispatch({ type: 'ended', id, ended })
    } catch {
      // The outcome stays unknown.
    }
  }

  return {
    onNotice(notice) {
      if (notice.name === 'APPROVAL_REQUEST')
        dispatch({ type: 'requested', request: notice.request, isModalOpen: store.getState().open })
      if (notice.name === 'APPROVAL_CLOSED') dispatch({ type: 'withdrawn', id: notice.id })
    },
    track(request) {
      const { id, asker, method, done } = request
      if (classifyRpcMethod(method) !== 'notSafe') return
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
    approve: (id) => dispatch({ type: 'approve', id }),
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

/** One timer per request: a later one replaces an earlier one. */
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
