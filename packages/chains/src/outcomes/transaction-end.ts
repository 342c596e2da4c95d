import type { ChainClient } from '../chain-client'

/** `hash` of the included transaction, perhaps a replacement. Null if unknown. */
export type TransactionEnd = { readonly hash: string | null } & (
  | { readonly kind: 'confirmed' }
  /** The fee is spent. `reason` from chain or contract, or null. */
  | { readonly kind: 'reverted'; readonly reason: string | null }
  /** Replaced by another fee (which succeeded), nothing, or something else. */
  | { readonly kind: 'repriced' | 'cancelled' | 'replaced' }
  /** Expired: never included. */
  | { readonly kind: 'dropped' }
)

/** A stateful poll that resolves to null while pending. */
export type OutcomePoll = (signal: AbortSignal) => Promise<TransactionEnd | null>

/** Starts the poll of a namespace's `outcome.ts`. */
export type OutcomePollOf<S> = (client: ChainClient, sent: S) => OutcomePoll
