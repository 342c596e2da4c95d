import type { Envelope, HostParams } from '@postern/protocol'
import type { LinkPort, Timers } from '../link/link'

export function manualTimers(): Timers & { pass(time: number): void; readonly running: number } {
  const running = new Map<number, { at: number; callback: () => void }>()
  let now = 0
  let next = 0
  return {
    after(delay, callback) {
      const id = next++
      running.set(id, { at: now + delay, callback })
      return () => {
        running.delete(id)
      }
    },
    pass(time) {
      now += time
      for (const [id, { at, callback }] of [...running]) {
        if (at > now || !running.delete(id)) continue
        callback()
      }
    },
    get running() {
      return running.size
    },
  }
}

/** The test plays the other end. */
export type TestPort = LinkPort & {
  readonly posted: Envelope[]
  readonly closed: boolean
  deliver(data: unknown): void
  /** The other side goes away. */
  end(): void
}

export function testPort(): TestPort {
  const events = new EventTarget()
  const posted: Envelope[] = []
  let closed = false
  return {
    posted,
    get closed() {
      return closed
    },
    onmessage: null,
    addEventListener: events.addEventListener.bind(events),
    postMessage: (message: Envelope) => void posted.push(structuredClone(message)),
    close() {
      closed = true
    },
    deliver(data) {
      const handle: unknown = this.onmessage
      if (typeof handle === 'function') handle({ data })
    },
    end: () => void events.dispatchEvent(new Event('close')),
  }
}

export const init: HostParams<'init'> = {
  projectId: 'demo',
  networks: ['ethereum'],
  colorScheme: 'light',
  pageWallets: [],
  stored: {},
}

/** Flushes promises. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve()
}
