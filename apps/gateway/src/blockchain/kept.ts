/**
 * A cache in memory, by key, with a lifetime.
 *
 * 1. Concurrent callers share one request.
 * 2. A result is cached for `lifetime`; failures are not, nor results that `isKept` rejects.
 * 3. A caller can ask for a fresh result, which replaces the cached one.
 * 4. Memory is bounded: beyond `most` keys, the oldest entries are evicted.
 */
export type Kept<T> = {
  get(key: string, ask: () => Promise<T>, fresh?: boolean): Promise<T>
}

/** @param lifetime in ms */
export function createKept<T>(
  lifetime: number,
  most: number,
  now: () => number,
  isKept: (answer: T) => boolean = () => true,
): Kept<T> {
  const kept = new Map<string, { readonly until: number; readonly answer: Promise<T> }>()
  return {
    get(key, ask, fresh = false) {
      const found = kept.get(key)
      if (found !== undefined && !fresh && now() < found.until) return found.answer
      const answer = ask()
      const entry = { until: now() + lifetime, answer }
      kept.delete(key)
      kept.set(key, entry)
      for (const oldest of kept.keys()) {
        if (kept.size <= most) break
        kept.delete(oldest)
      }
      const forget = () => {
        if (kept.get(key) === entry) kept.delete(key)
      }
      answer.then((given) => {
        if (!isKept(given)) forget()
      }, forget)
      return answer
    },
  }
}
