import { followAbort } from '@postern/base/abort'
import { mayAnswerLater } from '@postern/chains/nodes/unreachable'
import {
  ApprovalRequest,
  type ApprovalSubject,
  approvalDigest,
  type CaipNetworkId,
  isSendingRpcMethod,
  type WalletFrameNotice,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { PreparedRequest } from '../contract'

export type Approvals = {
  ask(
    request: {
      readonly id: string
      readonly method: string
      readonly networkId: CaipNetworkId
      readonly origin: string
      readonly prepare: (signal: AbortSignal) => Promise<PreparedRequest>
    },
    signal: AbortSignal,
  ): Promise<ApprovalSubject>
  /** In order of arrival. */
  waiting(): readonly ApprovalRequest[]
  subscribe(listener: () => void): () => void
  /** No message of the modal reaches it. */
  approve(word: { readonly id: string; readonly digest: string }): void
  reject(word: { readonly id: string }): void
  /** For a request that no network prepared. */
  retry(word: { readonly id: string }): void
  isPreparing(id: string): boolean
  closeAll(): void
}

const maxApprovals = 32

type Waiting = {
  request: ApprovalRequest
  isPreparing: boolean
  prepare(): Promise<ApprovalRequest>
  resolve(subject: ApprovalSubject): void
  reject(reason: unknown): void
}

/**
 * Requests that wait for the user's approval.
 *
 * 1. The user sees what is signed: the subject is copied when shown, hashed, and returned unchanged. Fields outside its
 *    schema are dropped from both.
 * 2. An approval works once, and only with that digest; anything else is INVALID_REQUEST.
 * 3. A blocked request can only be rejected.
 * 4. An aborted request, or one whose link ends, is closed with an APPROVAL_CLOSED notice.
 * 5. Ids are unique. At most {@link maxApprovals} requests wait.
 * 6. A request that no network prepared waits, blocked, until the user retries or declines. A retry shows the prepared
 *    subject under the same id, or ends with the chain's error. If the modal cannot show such a request:
 *    NETWORK_UNREACHABLE. If no retry can help, it ends at once.
 * @param showsUnprepared whether the modal can show unprepared requests
 */
export function createApprovals(
  notify: (notice: WalletFrameNotice) => void,
  showsUnprepared: () => boolean = () => true,
): Approvals {
  const waiting = new Map<string, Waiting>()
  const listeners = new Set<() => void>()

  function changed(): void {
    for (const listener of [...listeners]) listener()
  }

  /** Rule 6. */
  async function prepareOrNot(method: string, prepare: () => Promise<PreparedRequest>): Promise<PreparedRequest> {
    try {
      return await prepare()
    } catch (thrown) {
      if (!mayAnswerLater(thrown) || !showsUnprepared()) throw thrown
      return { subject: { kind: 'unprepared', sends: isSendingRpcMethod(method) }, blocked: 'NETWORK_UNREACHABLE' }
    }
  }

  function take(id: string): Waiting {
    const found = waiting.get(id)
    if (found === undefined) throw new Failure('INVALID_REQUEST')
    waiting.delete(id)
    changed()
    return found
  }

  /** Rule 6. */
  async function prepareAgain(id: string, found: Waiting): Promise<void> {
    const isWaiting = () => waiting.get(id) === found
    found.isPreparing = true
    changed()
    try {
      const request = await found.prepare()
      if (!isWaiting()) return
      found.isPreparing = false
      if (request.blocked === 'NETWORK_UNREACHABLE') return changed()
      found.request = request
      changed()
      notify({ name: 'APPROVAL_REQUEST', request })
    } catch (thrown) {
      if (isWaiting()) take(id).reject(thrown)
    }
  }

  return {
    async ask({ prepare, ...named }, signal) {
      const { id } = named
      const ending = new AbortController()
      const either = followAbort(ending, signal)
      const prepareToShow = async () => toShow(named, await prepareOrNot(named.method, () => prepare(either)))
      const first = await prepareToShow()
      signal.throwIfAborted()
      if (waiting.size >= maxApprovals) throw new Failure('LIMIT_EXCEEDED')
      if (waiting.has(id)) throw new Failure('INVALID_REQUEST')

      return new Promise<ApprovalSubject>((resolve, reject) => {
        const onAbort = () => {
          if (!waiting.delete(id)) return
          changed()
          notify({ name: 'APPROVAL_CLOSED', id })
          reject(signal.reason)
        }
        const settled = () => {
          signal.removeEventListener('abort', onAbort)
          ending.abort(new Failure('ABORTED'))
        }
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.set(id, {
          request: first,
          isPreparing: false,
          prepare: prepareToShow,
          resolve(approved) {
            settled()
            resolve(approved)
          },
          reject(reason) {
            settled()
            reject(reason)
          },
        })
        changed()
        notify({ name: 'APPROVAL_REQUEST', request: first })
      })
    },

    waiting: () => [...waiting.values()].map(({ request }) => request),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    approve({ id, digest }) {
      const found = waiting.get(id)
      if (found === undefined || found.request.digest !== digest) throw new Failure('INVALID_REQUEST')
      if (found.request.blocked !== undefined) throw new Failure(found.request.blocked)
      take(id).resolve(found.request.subject)
    },

    reject: ({ id }) => take(id).reject(new Failure('USER_REJECTED')),

    retry({ id }) {
      const found = waiting.get(id)
      if (found?.request.blocked === 'NETWORK_UNREACHABLE' && !found.isPreparing) void prepareAgain(id, found)
    },
    isPreparing: (id) => waiting.get(id)?.isPreparing ?? false,

    closeAll() {
      for (const id of [...waiting.keys()]) {
        const closed = take(id)
        notify({ name: 'APPROVAL_CLOSED', id })
        closed.reject(new Failure('USER_REJECTED'))
      }
    },
  }
}

type Named = Pick<ApprovalRequest, 'id' | 'method' | 'networkId' | 'origin'>

/** Rule 1. */
async function toShow(named: Named, { subject, blocked }: PreparedRequest): Promise<ApprovalRequest> {
  const request = ApprovalRequest.safeParse(
    structuredClone({ ...named, digest: '0'.repeat(64), ...(blocked && { blocked }), subject }),
  )
  if (!request.success) throw new Failure('INVALID_PARAMS')
  return { ...request.data, digest: await approvalDigest(request.data.subject) }
}
