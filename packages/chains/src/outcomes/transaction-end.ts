import type { ChainClient } from '../chain-client'

/** `hash`: of the included transaction, perhaps a replacement; null if unknown. */
export type TransactionEnd = { readonly hash: string | null } & (
  | { readonly kind: 'confirmed' }
  /** The fee is spent. `reason`: from the chain or contract, or null. */
  | { readonly kind: 'reverted'; readonly reason: string | null }
  /** Another transaction replaced it: with another fee (a success), with no effect, or with another effect. */
  | { readonly kind: 'repriced' | 'cancelled' | 'replaced' }
  /** Expired: never included. */
  | { readonly kind: 'dropped' }
)

/** A stateful poll that resolves to null while pending. */
export type OutcomePoll = (signal: AbortSignal) => Promise<TransactionEnd | null>

export type OutcomePollOf<S> = (client: ChainClient, sent: S) => OutcomePoll
