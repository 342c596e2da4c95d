import { setTimeout as sleep } from 'node:timers/promises'

/** Polls `ask` until it is not null, since another replica may write the result. Null after `timeout` or abort. */
export async function waitFor<T>(
  ask: () => Promise<T | null>,
  options: {
    /** In ms. */
    readonly timeout: number
    /** Between two calls, in ms. */
    readonly interval: number
    readonly signal: AbortSignal
    /** Monotonic, in ms. */
    readonly clock: () => number
  },
): Promise<T | null> {
  const { timeout, interval, signal, clock } = options
  const end = clock() + timeout
  for (;;) {
    if (signal.aborted) return null
    const answer = await ask()
    if (answer !== null || clock() + interval > end) return answer
    await sleep(interval, undefined, { signal }).catch(() => {})
  }
}
