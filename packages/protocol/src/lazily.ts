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

/** The same for something that is used in the same turn once it is there. */
export type Deferred<T> = {
  get(): Promise<T>
  /** Null until it is there. */
  peek(): T | null
}

export function deferred<T>(load: () => Promise<T>): Deferred<T> {
  let value: T | null = null
  const get = lazily(async () => {
    value = await load()
    return value
  })
  return { get, peek: () => value }
}
