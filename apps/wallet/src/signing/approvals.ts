import {
  ApprovalRequest,
  type ApprovalSubject,
  approvalDigest,
  type CaipNetworkId,
  type WalletFrameNotice,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { PreparedRequest } from '../contract'

export type Approvals = {
  /** Resolves with the approved subject. */
  ask(
    request: {
      readonly id: string
      readonly method: string
      readonly networkId: CaipNetworkId
      readonly origin: string
      readonly prepared: PreparedRequest
    },
    signal: AbortSignal,
  ): Promise<ApprovalSubject>
  /** In order of arrival. */
  waiting(): readonly ApprovalRequest[]
  /** After each change of what waits. Returns the unsubscribe. */
  subscribe(listener: () => void): () => void
  /** By a press in the frame's approval or in the wallet's own window; no message of the modal gets here. */
  approve(word: { readonly id: string; readonly digest: string }): void
  reject(word: { readonly id: string }): void
  /** Rejects all as the visitor would. */
  closeAll(): void
}

/** Max requests that wait for the visitor. */
const maxApprovals = 32

type Waiting = {
  readonly request: ApprovalRequest
  resolve(subject: ApprovalSubject): void
  reject(reason: Failure): void
}

/**
 * Requests that wait for the visitor's approval.
 *
 * 1. What is shown is what is signed: the subject is copied when shown, hashed, and returned unchanged. Fields outside
 *    its schema are dropped from both.
 * 2. An approval works once, and only with that digest; anything else is INVALID_REQUEST and changes nothing.
 * 3. A blocked request can only be rejected.
 * 4. An aborted request, or one whose link ends, is closed with an APPROVAL_CLOSED notice; a late approval has no
 *    effect.
 * 5. Ids are those of the requests and unique. At most {@link maxApprovals} wait.
 */
export function createApprovals(notify: (notice: WalletFrameNotice) => void): Approvals {
  const waiting = new Map<string, Waiting>()
  const listeners = new Set<() => void>()

  function changed(): void {
    for (const listener of [...listeners]) listener()
  }

  function take(id: string): Waiting {
    const found = waiting.get(id)
    if (found === undefined) throw new Failure('INVALID_REQUEST')
    waiting.delete(id)
    changed()
    return found
  }

  return {
    async ask({ id, method, networkId, origin, prepared }, signal) {
      const { subject, blocked } = prepared
      const request = ApprovalRequest.safeParse(
        structuredClone({
          id,
          method,
          networkId,
          origin,
          digest: '0'.repeat(64),
          ...(blocked && { blocked }),
          subject,
        }),
      )
      // The modal could not parse and show it.
      if (!request.success) throw new Failure('INVALID_PARAMS')
      const shown = { ...request.data, digest: await approvalDigest(request.data.subject) }
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
        const settled = () => signal.removeEventListener('abort', onAbort)
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.set(id, {
          request: shown,
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
        notify({ name: 'APPROVAL_REQUEST', request: shown })
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

    closeAll() {
      for (const id of [...waiting.keys()]) {
        const closed = take(id)
        notify({ name: 'APPROVAL_CLOSED', id })
        closed.reject(new Failure('USER_REJECTED'))
      }
    },
  }
}
