import type { SignInEvent } from '../../snapshot/contract'
import type { AnalyticsOptions, createAnalytics, Seen } from './analytics'

/** More than happens while a file is fetched; what comes after that is counted as one change. */
const mostSeen = 200

/** Analytics where the flag is on; its code is fetched then, and where that fails nobody counts. What happens before the code is there is counted once it is. */
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
      // Nobody counts.
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
