/** Asks for something once, when it is first needed. What failed is forgotten, and asked for again by the next one who needs it. */
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
