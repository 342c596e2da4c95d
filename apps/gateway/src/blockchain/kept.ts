/**
 * Answers that are kept for a while, in memory and by key.
 *
 * 1. Whoever asks while a question is under way waits for the same answer.
 * 2. An answer is kept for `lifetime`; a failure is not, nor one that `isKept` says no to.
 * 3. A fresh one can be asked for; it takes the place of the one before.
 * 4. Memory is bounded: beyond `most` keys the ones that were asked first are forgotten.
 */
export type Kept<T> = {
  get(key: string, ask: () => Promise<T>, fresh?: boolean): Promise<T>
}

/** @param lifetime milliseconds */
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
