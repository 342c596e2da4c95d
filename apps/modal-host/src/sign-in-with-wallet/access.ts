import type { Connection, Namespace } from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import { deferred } from '@postern/protocol/lazily'
import type { SignInPrompts } from './prompts'

export type SignInAccess = {
  onConnection(namespace: Namespace, connection: Connection): void
  /** Resolves once every connection so far was looked at. */
  settled(): Promise<void>
  /** Null until somebody was connected and they are there. */
  peek(): SignInPrompts | null
  end(): void
}

/** Before it is tried again, in ms. */
const waits = [1_000, 3_000, 10_000]

/**
 * The rules of sign-in with wallet (`prompts.ts`), which are fetched when somebody is connected.
 *
 * 1. They hear of each connection in the order in which these came, also of those from before they were there.
 * 2. Nobody stays connected because they did not come: after a few tries it is `onLost`.
 * 3. After `end` they hear of nothing more, whatever was on its way to them.
 */
export function createSignInAccess(options: {
  readonly load: () => Promise<SignInPrompts>
  readonly clock: Clock
  readonly onLost: (namespace: Namespace) => Promise<void>
}): SignInAccess {
  let isEnded = false
  let hasBegun = false
  let last = Promise.resolve()
  const { get, peek } = deferred(async () => {
    const prompts = await options.load()
    if (isEnded) prompts.end()
    return prompts
  })

  async function arrived(): Promise<SignInPrompts> {
    for (const wait of waits) {
      try {
        return await get()
      } catch {
        await new Promise<void>((resolve) => options.clock.after(wait, resolve))
      }
    }
    return get()
  }

  return {
    onConnection(namespace, connection) {
      hasBegun ||= connection.status === 'connected'
      if (!hasBegun) return
      last = last.then(async () => {
        try {
          const { look } = await arrived()
          if (!isEnded) look(namespace, connection)
        } catch {
          if (!isEnded) await options.onLost(namespace)
        }
      })
    },
    settled: () => last,
    peek,
    end() {
      isEnded = true
      peek()?.end()
    },
  }
}
