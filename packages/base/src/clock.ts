/** Injected, so that tests wait for no real time. */
export type Clock = {
  now(): number
  /** Returns the cancel function. */
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

/** 1, 2, 4 … 30 s, in ms. `failures`: in a row. */
export function retryDelayMs(failures: number): number {
  return Math.min(30_000, 1_000 * 2 ** (failures - 1))
}

/** Aborts with `outer` or after `milliseconds`. Call `release` when done. */
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
