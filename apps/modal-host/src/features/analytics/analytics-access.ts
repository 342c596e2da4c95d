import type { SignInEvent } from '../../snapshot/contract'
import type { AnalyticsOptions, createAnalytics, TimedSnapshot } from './analytics'

/** Further snapshots from before the code loads count as one change. */
const maxEarlierSnapshots = 200

/** Loads the code only if the flag is on, and then counts earlier events. */
export function createAnalyticsAccess(options: AnalyticsOptions & { readonly isAnalyticsOn: boolean }): {
  consent(allowed: boolean): void
  signIn(event: SignInEvent): void
  end(): void
} {
  let analytics: ReturnType<typeof createAnalytics> | null = null
  let isEnded = false
  const loaded = options.isAnalyticsOn ? load() : Promise.resolve()

  async function load(): Promise<void> {
    const { store, clock } = options
    const earlier: TimedSnapshot[] = [{ snapshot: store.getState(), at: clock.now() }]
    const stop = store.subscribe((snapshot) => {
      if (earlier.length < maxEarlierSnapshots) earlier.push({ snapshot, at: clock.now() })
    })
    try {
      const module = await import('./analytics')
      if (!isEnded) analytics = module.createAnalytics(options, earlier)
    } catch {
    } finally {
      stop()
    }
  }

  return {
    consent: (allowed) => analytics?.consent(allowed),
    signIn: (event) => void loaded.then(() => analytics?.signIn(event)),
    end() {
      isEnded = true
      analytics?.end()
      analytics = null
    },
  }
}
