/** A listener that throws does not affect the others. */
export function createListeners(): { add(listener: () => void): () => void; call(): void; size(): number } {
  const all = new Set<{ readonly call: () => void }>()
  return {
    add(listener) {
      const entry = { call: listener }
      all.add(entry)
      return () => void all.delete(entry)
    },
    call() {
      for (const { call } of [...all]) {
        try {
          call()
        } catch (error) {
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
    size: () => all.size,
  }
}
