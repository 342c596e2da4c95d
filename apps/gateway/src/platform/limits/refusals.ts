/**
 * A caller over its limit reaches the database once in `maxLifetime`.
 *
 * 1. A refusal is remembered until it ends, at most for `maxLifetime`: another replica may have lifted it.
 * 2. Memory is bounded: the oldest refusals are forgotten first. The limit itself still applies.
 */
import { dropOldest } from '../drop-oldest'

export type Refusals = {
  /** Ms until the next try; null if unknown. */
  of(key: string): number | null
  /** @param wait ms. */
  add(key: string, wait: number): void
  forget(key: string): void
}

export function createRefusals(options: {
  /** Epoch ms. */
  readonly now: () => number
  /** In ms. */
  readonly maxLifetime?: number
  readonly max?: number
}): Refusals {
  const { now, maxLifetime = 5_000, max = 10_000 } = options
  const refusals = new Map<string, { readonly ends: number; readonly forgotten: number }>()

  return {
    of(key) {
      const refusal = refusals.get(key)
      if (refusal === undefined) return null
      const at = now()
      if (at < Math.min(refusal.ends, refusal.forgotten)) return refusal.ends - at
      refusals.delete(key)
      return null
    },
    add(key, wait) {
      if (wait <= 0) return
      const at = now()
      refusals.delete(key)
      refusals.set(key, { ends: at + wait, forgotten: at + maxLifetime })
      dropOldest(refusals, max)
    },
    forget(key) {
      refusals.delete(key)
    },
  }
}
