/**
 * What was refused a moment ago, in memory: whoever is over a limit and goes on asking costs the database nothing.
 *
 * 1. A refusal is remembered until it ends, and at most for `longest`: then whoever keeps the limit is asked again, because another replica may have lifted it.
 * 2. It says the seconds that are left, as the database would.
 * 3. Memory is bounded: the oldest refusals are forgotten first, which lets nobody through, as the limit itself still stands.
 */
export type Refusals = {
  /** Seconds until it may pass, at least one; null where nothing is known. */
  of(key: string): number | null
  /** @param wait milliseconds. */
  add(key: string, wait: number): void
  forget(key: string): void
}

export function createRefusals(options: {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds. */
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
