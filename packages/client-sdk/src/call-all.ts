/** A listener that throws does not stop the others: its error is reported as an uncaught one. */
export function callAll<T>(listeners: Iterable<(data: T) => void>, data: T): void {
  for (const listener of [...listeners]) {
    try {
      listener(data)
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}
