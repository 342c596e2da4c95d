/**
 * Batches lookups: one request runs at a time, and lookups that arrive meanwhile go into the next one. So many
 * concurrent lookups cost the database only a few requests.
 *
 * 1. Each key gets its own result, or its request's failure.
 * 2. A request has at most `most` keys, without duplicates.
 */
export function createBatched<T>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  otherwise: T,
  most = 500,
): (key: string) => Promise<T> {
  type Waiting = { readonly key: string; resolve(answer: T): void; reject(error: unknown): void }
  let waiting: Waiting[] = []
  let isAsking = false

  async function work(): Promise<void> {
    isAsking = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
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
