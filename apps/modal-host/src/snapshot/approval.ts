import type { ApprovalRequest, ErrorCode } from '@postern/protocol'

/** The user, or the dapp through a view. The dapp's own requests have no asker. */
export type Asker = 'visitor' | 'dapp'

/** A page cannot set it. */
export type RequestContext = { readonly asker: Asker }

export type Approval = {
  readonly request: ApprovalRequest
  /** Set if a view of the modal made the request. */
  readonly asker?: Asker
  /** Height in the wallet's frame, in CSS px; null until drawn. */
  readonly height: number | null
  readonly status:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'signing' }
    | { readonly kind: 'sent'; readonly hash: string | null }
    /** `hash`: the included transaction's, or its replacement's. */
    | { readonly kind: 'ended'; readonly hash: string | null; readonly outcome: SentOutcome }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
}

/** Spec §4. */
export type SentOutcome =
  | { readonly kind: 'confirmed' }
  /** The fee is spent. `reason`: the chain's or contract's text. */
  | { readonly kind: 'reverted'; readonly reason: string | null }
  | { readonly kind: 'partlyReverted' }
  /** Another transaction with the same nonce or coins was included: with another fee, empty, or different. */
  | { readonly kind: 'repriced' | 'cancelled' | 'replaced' }
  | { readonly kind: 'dropped' }
  /** No result for 180 s; one may still come. */
  | { readonly kind: 'unknown' }
