/** How what was sent ended (spec §4). */
export type SentOutcome =
  | { readonly kind: 'confirmed' }
  /** Nothing happened, but the fee is spent. `reason` in the words of the chain, or of whoever wrote the contract; null where there are none. */
  | { readonly kind: 'reverted'; readonly reason: string | null }
  /** Several transactions: some did what they were for. */
  | { readonly kind: 'partlyReverted' }
  /** Another transaction of its nonce or of its coins came first: the same with another fee, nothing at all, or something else. */
  | { readonly kind: 'repriced' | 'cancelled' | 'replaced' }
  /** Too late: the chain will never take it. */
  | { readonly kind: 'dropped' }
  /** Nobody said for 180 s. It may still come. */
  | { readonly kind: 'unknown' }
