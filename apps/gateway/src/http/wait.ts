import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks again and again until there is an answer: the database may be told by another replica, so nothing here can be woken by it.
 *
 * @param ask an answer, or null to be asked again.
 * @returns null after `timeout`, or as soon as `signal` aborts: nobody waits any more.
 */
export async function waitFor<T>(
  ask: () => Promise<T | null>,
  options: {
    /** Milliseconds. */
    readonly timeout: number
    /** Milliseconds between two questions. */
    readonly interval: number
    readonly signal: AbortSignal
    /** Milliseconds that only grow. */
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
