/**
 * In-memory cache with a lifetime per entry.
 *
 * 1. Calls during a load wait for its result.
 * 2. Failures, and answers that `isCacheable` rejects, are not cached.
 * 3. `refresh` loads again and replaces the answer.
 * 4. Beyond `maxKeys` keys the oldest are dropped.
 */
import { dropOldest } from '../../platform/drop-oldest'

export type TtlCache<T> = {
  get(key: string, ask: () => Promise<T>): Promise<T>
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
