export type Timers = {
  after(delay: number, callback: () => void): () => void
  stop(): void
}

/** Cancelled together, so that a destroyed instance leaves none. */
export function createTimers(window: Pick<Window, 'setTimeout' | 'clearTimeout'>): Timers {
  const running = new Set<number>()
  return {
    after(delay, callback) {
      const timer = window.setTimeout(() => {
        running.delete(timer)
        callback()
      }, delay)
      running.add(timer)
      return () => {
        running.delete(timer)
        window.clearTimeout(timer)
      }
    },
    stop() {
      for (const timer of running) window.clearTimeout(timer)
      running.clear()
    },
  }
}
