/**
 * In-memory cache with a lifetime per entry.
 *
 * 1. Calls during a load wait for its result.
 * 2. An answer is cached for `lifetime`. Failures, and answers that `isCacheable` rejects, are not.
 * 3. `refresh` loads again and replaces the cached answer.
 * 4. Memory is bounded: beyond `maxKeys` keys the oldest are dropped.
 */
import { dropOldest } from '../../platform/drop-oldest'

export type TtlCache<T> = {
  get(key: string, ask: () => Promise<T>): Promise<T>
  /** Loads even if an answer is cached. */
  refresh(key: string, ask: () => Promise<T>): Promise<T>
}

/** @param lifetime in ms */
export function createTtlCache<T>(
  lifetime: number,
  maxKeys: number,
  now: () => number,
  isCacheable: (answer: T) => boolean = () => true,
): TtlCache<T> {
  const entries = new Map<string, { readonly until: number; readonly answer: Promise<T> }>()

  function refresh(key: string, ask: () => Promise<T>): Promise<T> {
    const answer = ask()
    const entry = { until: now() + lifetime, answer }
    entries.delete(key)
    entries.set(key, entry)
    dropOldest(entries, maxKeys)
    const forget = () => {
      if (entries.get(key) === entry) entries.delete(key)
    }
    answer.then((value) => {
      if (!isCacheable(value)) forget()
    }, forget)
    return answer
  }

  return {
    get(key, ask) {
      const cached = entries.get(key)
      return cached !== undefined && now() < cached.until ? cached.answer : refresh(key, ask)
    },
    refresh,
  }
}
