/**
 * Batches look-ups: keys requested during a query go into the next.
 *
 * 1. Each key gets its own answer, or the failure of its query.
 * 2. A query has at most `max` keys, each once.
 */
export function createBatchLoader<T>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  otherwise: T,
  max = 500,
): (key: string) => Promise<T> {
  type Waiting = { readonly key: string; resolve(answer: T): void; reject(error: unknown): void }
  let waiting: Waiting[] = []
  let isAsking = false

  async function work(): Promise<void> {
    isAsking = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, max)
      waiting = waiting.slice(max)
      try {
        const answers = await ask([...new Set(batch.map(({ key }) => key))])
        for (const { key, resolve } of batch) resolve(answers.get(key) ?? otherwise)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isAsking = false
  }

  return (key) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (!isAsking) void work()
    })
}
