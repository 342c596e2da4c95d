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

/** Like {@link lazily}, with synchronous access. */
export type Deferred<T> = {
  get(): Promise<T>
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
