/** Periodic jobs. */
import { SpanKind } from '@opentelemetry/api'
import type { Log } from './platform/log/log'
import { inSpan } from './platform/tracing/spans'
import type { Services } from './services'
import type { EarlierBuilds } from './site/pages/earlier-builds'

const sweepIntervalMs = 3_600_000
const flushIntervalMs = 1_000

const job = { kind: SpanKind.INTERNAL }

export type Jobs = {
  flush(): Promise<void>
  stop(): void
}

type JobServices = {
  readonly [Name in 'auth' | 'signIns' | 'walletEnds']: Pick<Services[Name], 'sweep'>
} & {
  readonly analytics: Pick<Services['analytics'], 'sweep' | 'flush'>
  readonly wallets: Pick<Services['wallets'], 'sealOlder'>
  readonly earlierBuilds: Pick<EarlierBuilds, 'touch'> | null
}

export function startJobs(services: JobServices, log: Pick<Log, 'info' | 'error'>): Jobs {
  const { auth, signIns, analytics, wallets, walletEnds, earlierBuilds } = services
  const sweep = () =>
    inSpan('sweep', job, () =>
      Promise.all([auth.sweep(), walletEnds.sweep(), signIns.sweep(), analytics.sweep(), earlierBuilds?.touch()]),
    ).catch((error: unknown) => log.error({ err: error }, 'sweep failed'))
  const sealOlder = async () => {
    try {
      const { sealed, failed } = await inSpan('seal shares', job, () => wallets.sealOlder())
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
