/** Those who want to know of a change. A listener that throws keeps the others from nothing. */
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
          // As the browser treats a handler of its own events: reported, and nobody else's matter.
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
    size: () => all.size,
  }
}
