/** Storage for what a chain's code must not forget when the frame reloads. */

/** An update is atomic, also across tabs. The value read may be anything. */
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

/** Rejects with what `change` throws; then nothing has changed. */
export type UpdateList<T> = (change: (all: readonly T[]) => readonly T[]) => Promise<readonly T[]>

/**
 * A list in storage.
 *
 * 1. An update is one step across tabs: `change` gets what is stored, and no other tab writes before its result is.
 * 2. Malformed entries are ignored.
 * 3. If storage fails, the list lasts as long as the frame. Once storage works again, it gets what it missed.
 */
export function listIn<T>(
  storage: Notes,
  { read, keyOf }: { readonly read: (entry: unknown) => T | null; readonly keyOf: (entry: T) => string },
): UpdateList<T> {
  let memory: readonly T[] = []
  let isAhead = false

  function entriesOf(kept: unknown): readonly T[] {
    const stored = Array.isArray(kept) ? kept.flatMap((one: unknown) => read(one) ?? []) : []
    if (!isAhead) return stored
    const missed = new Set(memory.map(keyOf))
    return [...stored.filter((one) => !missed.has(keyOf(one))), ...memory]
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
    memory = done.next
    isAhead = !isStored
    return memory
  }
}
