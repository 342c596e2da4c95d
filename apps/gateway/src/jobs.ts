/** What the process does now and then: delete what has expired, seal with the current keys, write received events. */
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
  services: Pick<Services, 'auth' | 'signIns' | 'analytics' | 'wallets' | 'walletEnds' | 'earlierBuilds'>,
  log: Log,
): Jobs {
  const { auth, signIns, analytics, wallets, walletEnds, earlierBuilds } = services
  const sweep = () =>
    Promise.all([auth.sweep(), walletEnds.sweep(), signIns.sweep(), analytics.sweep(), earlierBuilds?.touch()]).catch(
      (error: unknown) => log.error({ err: error }, 'sweep failed'),
    )
  const sealOlder = async () => {
    try {
      const { sealed, failed } = await wallets.sealOlder()
      if (sealed > 0) log.info({ users: sealed }, 'shares sealed with the current keys')
      if (failed > 0) log.error({ users: failed }, 'shares do not open: a key is missing from POSTERN_SECRETS')
    } catch (error) {
      log.error({ err: error }, 'sealing shares failed')
    }
  }
  void sealOlder()
  const flush = async () => {
    await analytics.flush().catch((error: unknown) => log.error({ err: error }, 'analytics lost'))
  }
  const timers = [
    setInterval(flush, flushIntervalMs),
    setInterval(sweep, sweepIntervalMs),
    setInterval(sealOlder, sweepIntervalMs),
  ]
  for (const timer of timers) timer.unref()
  return {
    flush,
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
