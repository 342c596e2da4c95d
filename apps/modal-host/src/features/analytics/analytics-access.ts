import type { SignInEvent } from '../../snapshot/contract'
import type { AnalyticsOptions, createAnalytics, Seen } from './analytics'

/** More are counted as one change. */
const mostSeen = 200

/** Its code loads only if the flag is on; earlier events are counted then. If it fails to load, nothing is counted. */
export function createAnalyticsAccess(options: AnalyticsOptions & { readonly isAnalyticsOn: boolean }): {
  consent(allowed: boolean): void
  signIn(event: SignInEvent): void
  end(): void
} {
  let made: ReturnType<typeof createAnalytics> | null = null
  let isEnded = false
  const loaded = options.isAnalyticsOn ? load() : Promise.resolve()

  async function load(): Promise<void> {
    const { store, clock } = options
    const seen: Seen[] = [{ snapshot: store.getState(), at: clock.now() }]
    const stop = store.subscribe((snapshot) => {
      if (seen.length < mostSeen) seen.push({ snapshot, at: clock.now() })
    })
    try {
      const module = await import('./analytics')
      if (!isEnded) made = module.createAnalytics(options, seen)
    } catch {
      // Without its code nothing is counted.
    } finally {
      stop()
    }
  }

  return {
    consent: (allowed) => made?.consent(allowed),
    signIn: (event) => void loaded.then(() => made?.signIn(event)),
    end() {
      isEnded = true
      made?.end()
      made = null
    },
  }
}
