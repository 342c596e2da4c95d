/** Time as the host sees it. Tests pass their own, so nothing in the host waits on the real one. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number
  /** Runs `task` once after `milliseconds`; the returned function takes it back. */
  after(milliseconds: number, task: () => void): () => void
}

export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    after(milliseconds, task) {
      const timer = setTimeout(task, milliseconds)
      return () => clearTimeout(timer)
    },
  }
}

/**
 * A signal that ends when `outer` does or when `milliseconds` have passed, whichever is first.
 * `release` must be called once the work is over: it takes the timer and the listener back.
 */
export function deadline(
  clock: Clock,
  milliseconds: number,
  outer: AbortSignal | undefined,
  reason: () => Error,
): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const follow = () => controller.abort(outer?.reason)
  const stop = clock.after(milliseconds, () => controller.abort(reason()))
  if (outer?.aborted) follow()
  else outer?.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    release() {
      stop()
      outer?.removeEventListener('abort', follow)
    },
  }
}
