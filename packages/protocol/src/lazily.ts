/** Loads once. After a failure, the next call loads again. */
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
