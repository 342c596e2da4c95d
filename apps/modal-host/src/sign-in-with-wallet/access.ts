import type { Clock } from '@postern/base/clock'
import { type OnceLoaded, onceLoaded } from '@postern/base/once-loaded'
import type { Connection, Namespace } from '@postern/protocol'
import type { SignInPrompts } from './prompts'

export type SignInAccess = {
  onConnection(namespace: Namespace, connection: Connection): void
  /** Once every connection so far has been checked. */
  settled(): Promise<void>
  readonly prompts: OnceLoaded<SignInPrompts>
  end(): void
}

const retryDelaysMs = [1_000, 3_000, 10_000]

/**
 * Loads the rules of wallet sign-in (`prompts.ts`) on the first connection.
 *
 * 1. They get every connection in order.
 * 2. If they fail to load after a few retries, `onLost` is called: no wallet stays connected without them.
 * 3. After `end` nothing more is passed on.
 */
export function createSignInAccess(options: {
  readonly load: () => Promise<SignInPrompts>
  readonly clock: Clock
  readonly onLost: (namespace: Namespace) => Promise<void>
}): SignInAccess {
  let isEnded = false
  let hasConnected = false
  let last = Promise.resolve()
  const prompts = onceLoaded(async () => {
    const loaded = await options.load()
    if (isEnded) loaded.end()
    return loaded
  })

  async function loadWithRetries(): Promise<SignInPrompts> {
    for (const delayMs of retryDelaysMs) {
      try {
        return await prompts.load()
      } catch {
        await new Promise<void>((resolve) => options.clock.after(delayMs, resolve))
      }
    }
    return prompts.load()
  }

  return {
    onConnection(namespace, connection) {
      hasConnected ||= connection.status === 'connected'
      if (!hasConnected) return
      last = last.then(async () => {
        try {
          const { look } = await loadWithRetries()
          if (!isEnded) look(namespace, connection)
        } catch {
          if (!isEnded) await options.onLost(namespace)
        }
      })
    },
    settled: () => last,
    prompts,
    end() {
      isEnded = true
      prompts.notify((code) => code.end())
    },
  }
}
