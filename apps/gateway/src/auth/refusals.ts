/**
 * Recent refusals in memory, so that a client over its limit does not reach the database.
 *
 * 1. A refusal is remembered until it ends, at most for `longest`. After that the limit itself is asked again, because
 *    another replica may have lifted it.
 * 2. It returns the seconds left, as the database would.
 * 3. Memory is bounded: the oldest refusals are evicted first. That lets no try through, because the limit itself still
 *    holds.
 */
export type Refusals = {
  /** Seconds until the next try, at least 1; null if unknown. */
  of(key: string): number | null
  /** @param wait ms. */
  add(key: string, wait: number): void
  forget(key: string): void
}

export function createRefusals(options: {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** In ms. */
  readonly longest?: number
  readonly most?: number
}): Refusals {
  const { now, longest = 5_000, most = 10_000 } = options
  const kept = new Map<string, { readonly ends: number; readonly forgotten: number }>()

  return {
    of(key) {
      const found = kept.get(key)
      if (found === undefined) return null
      const at = now()
      if (at < Math.min(found.ends, found.forgotten)) return Math.max(1, Math.ceil((found.ends - at) / 1000))
      kept.delete(key)
      return null
    },
    add(key, wait) {
      if (wait <= 0) return
      const at = now()
      kept.delete(key)
      kept.set(key, { ends: at + wait, forgotten: at + longest })
      for (const oldest of kept.keys()) {
        if (kept.size <= most) return
        kept.delete(oldest)
      }
    },
    forget(key) {
      kept.delete(key)
    },
  }
}
