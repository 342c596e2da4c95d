import type { ApprovalRequest, ErrorCode } from '@postern/protocol'
import type { Asker } from './request-context'
import type { SentOutcome } from './sent-outcome'

/** A queued request that needs approval; the first is on screen. */
export type Approval = {
  readonly request: ApprovalRequest
  /** Set if a view of the modal made the request. */
  readonly asker?: Asker
  /** Height of the approval in the wallet's frame, in CSS px; null until drawn. */
  readonly height: number | null
  readonly status:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'signing' }
    | { readonly kind: 'sent'; readonly hash: string | null }
    /** `hash` of the included transaction: another one if it was replaced. */
    | { readonly kind: 'ended'; readonly hash: string | null; readonly outcome: SentOutcome }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
}
