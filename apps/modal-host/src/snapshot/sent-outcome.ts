/** Spec §4. */
export type SentOutcome =
  | { readonly kind: 'confirmed' }
  /** The fee is spent. `reason` is the chain's or contract's text, or null. */
  | { readonly kind: 'reverted'; readonly reason: string | null }
  | { readonly kind: 'partlyReverted' }
  /** Another transaction with the same nonce or coins: with another fee, empty, or different. */
  | { readonly kind: 'repriced' | 'cancelled' | 'replaced' }
  | { readonly kind: 'dropped' }
  /** No result for 180 s; one may still come. */
  | { readonly kind: 'unknown' }
