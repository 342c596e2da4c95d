/** A failure is not cached: the next caller loads again. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null
  return () => {
    if (asked !== null) return asked
    const fresh = load()
    asked = fresh
    fresh.catch(() => {
      asked = null
    })
    return fresh
  }
}
