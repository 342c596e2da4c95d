/** A listener's error is reported as uncaught and does not stop the others. */
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
