export type Timers = {
  /** Calls back once, after so many ms; gives what calls that off. */
  after(delay: number, callback: () => void): () => void
  /** Calls off all that run. */
  stop(): void
}

/** Timers of a page that can all be called off: an instance that is destroyed leaves none. */
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
