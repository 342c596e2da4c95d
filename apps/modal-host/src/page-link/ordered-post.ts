import type { Envelope, ErrorCode } from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'

type Fixes = Readonly<Record<ErrorCode, string>>

/** Max wait of messages for the fixes, in ms: half a heartbeat of the page. */
export const fixesTimeoutMs = 1_000

export type OrderedPostOptions = {
  readonly post: (message: Envelope) => void
  readonly loadFixes: () => Promise<{ readonly fixes: Fixes }>
  readonly clock: Pick<Clock, 'after'>
}

export type OrderedPost = {
  /** @throws {DOMException} if the message cannot be cloned */
  post(message: Envelope): void
  /** Posts what waits, as it is. */
  flush(): void
}

/**
 * Adds to each error what to do about it.
 *
 * 1. The fixes load with the first error. That error and all later messages wait for them, and are then posted in order.
 * 2. They wait {@link fixesTimeoutMs} at most. Then, and if the code does not arrive, an error goes without its fix, and
 *    the next one loads them again.
 * 3. A waiting message is a copy: it cannot change, and one that cannot be cloned throws at once.
 * 4. Nothing is lost at the end: `flush` posts what waits.
 */
export function createOrderedPost({ post, loadFixes, clock }: OrderedPostOptions): OrderedPost {
  let fixes: Fixes | undefined
  let waiting: Envelope[] = []
  let stopTimer = () => {}

  function flush(): void {
    stopTimer()
    const messages = waiting
    waiting = []
    for (const message of messages) post(withFix(message, fixes))
  }

  async function load(): Promise<void> {
    stopTimer = clock.after(fixesTimeoutMs, flush)
    try {
      fixes = (await loadFixes()).fixes
    } catch {
      // The error goes without its fix.
    }
    flush()
  }

  return {
    post(message) {
      const isWaiting = waiting.length > 0
      if (!isWaiting && (message.kind !== 'error' || fixes !== undefined)) return post(withFix(message, fixes))
      waiting.push(structuredClone(message))
      if (!isWaiting) void load()
    },
    flush,
  }
}

function withFix(message: Envelope, fixes: Fixes | undefined): Envelope {
  if (message.kind !== 'error' || fixes === undefined || !isKnown(message.error.code, fixes)) return message
  return { ...message, error: { ...message.error, fix: fixes[message.error.code] } }
}

function isKnown(code: string, fixes: Fixes): code is ErrorCode {
  return Object.hasOwn(fixes, code)
}
