import type { ChainClient } from '../chain-client'

/** `hash`: of the included transaction; null if unknown. */
export type TransactionEnd = { readonly hash: string | null } & (
  | { readonly kind: 'confirmed' }
  /** The fee is spent. */
  | { readonly kind: 'reverted'; readonly reason: string | null }
  /** Replaced: with another fee (a success), no effect, or another effect. */
  | { readonly kind: 'repriced' | 'cancelled' | 'replaced' }
  /** Never included. */
  | { readonly kind: 'dropped' }
)

/** Null while pending. */
export type OutcomePoll = (signal: AbortSignal) => Promise<TransactionEnd | null>

export type OutcomePollOf<S> = (client: ChainClient, sent: S) => OutcomePoll
