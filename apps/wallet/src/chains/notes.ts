/** Outlives the frame. An update is atomic across tabs. `kept` may be any value. */
export type Notes = {
  update(change: (kept: unknown) => unknown): Promise<unknown>
}

export function memoryNotes(): Notes {
  let kept: unknown
  return {
    async update(change) {
      kept = change(kept)
      return kept
    },
  }
}

/** If `change` throws, nothing changes. */
export type UpdateList<T> = (change: (all: readonly T[]) => readonly T[]) => Promise<readonly T[]>

/**
 * A list in storage.
 *
 * 1. An update is one step across tabs.
 * 2. Malformed entries are ignored.
 * 3. If storage fails, the list lasts as long as the frame, and is stored once storage works again.
 * 4. A list that was cleared in storage is stored again: clearing does not undo what was sent.
 */
export function listIn<T>(
  storage: Notes,
  { read, keyOf }: { readonly read: (entry: unknown) => T | null; readonly keyOf: (entry: T) => string },
): UpdateList<T> {
  let memory: readonly T[] = []
  const missed = new Map<string, T | null>()

  function entriesOf(kept: unknown): readonly T[] {
    if (!Array.isArray(kept)) return memory
    const stored = kept.flatMap((one: unknown) => read(one) ?? [])
    const keys = new Set(stored.map(keyOf))
    const added = [...missed].flatMap(([key, entry]) => (entry === null || keys.has(key) ? [] : entry))
    const current = stored.flatMap((entry) => {
      const change = missed.get(keyOf(entry))
      return change === undefined ? entry : (change ?? [])
    })
    return [...current, ...added]
  }

  function miss(next: readonly T[]): void {
    const before = new Map(memory.map((entry) => [keyOf(entry), JSON.stringify(entry)]))
    for (const entry of next) {
      const key = keyOf(entry)
      if (before.get(key) !== JSON.stringify(entry)) missed.set(key, entry)
      before.delete(key)
    }
    for (const key of before.keys()) missed.set(key, null)
  }

  return async (change) => {
    let result: { readonly next: readonly T[] } | { readonly error: unknown } | null = null
    const attempt = (all: readonly T[]) => {
      try {
        result = { next: change(all) }
      } catch (error) {
        result = { error }
      }
      return result
    }
    let done = await storage
      .update((kept) => {
        const attempted = attempt(entriesOf(kept))
        return 'next' in attempted ? attempted.next : kept
      })
      .then(
        () => result,
        () => null,
      )
    const isStored = done !== null
    done ??= attempt(memory)
    if ('error' in done) throw done.error
    if (isStored) missed.clear()
    else miss(done.next)
    memory = done.next
    return memory
  }
}
