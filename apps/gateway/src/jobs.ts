/** What the process does now and then: delete what has expired, and write the events that were received. */
import type { Log } from './log'
import type { Services } from './services'

const sweepIntervalMs = 3_600_000
const flushIntervalMs = 1_000

export type Jobs = {
  /** Writes the events received so far. */
  flush(): Promise<void>
  stop(): void
}

export function startJobs(
  { auth, signIns, analytics }: Pick<Services, 'auth' | 'signIns' | 'analytics'>,
  log: Log,
): Jobs {
  const sweep = () =>
    Promise.all([auth.sweep(), signIns.sweep(), analytics.sweep()]).catch((error: unknown) =>
      log.error({ err: error }, 'sweep failed'),
    )
  const flush = async () => {
    await analytics.flush().catch((error: unknown) => log.error({ err: error }, 'analytics lost'))
  }
  const timers = [setInterval(flush, flushIntervalMs), setInterval(sweep, sweepIntervalMs)]
  for (const timer of timers) timer.unref()
  return {
    flush,
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
