import type { Clock } from '@postern/base/clock'
import { readStored } from '@postern/base/read-stored'
import * as z from 'zod/mini'
import type { HostStorage } from './storage'

export type EntryMemory = Pick<HostStorage, 'get' | 'set' | 'place'>

/** Per kind; the oldest is evicted. */
const maxEntries = 8

/**
 * A cache of account data that survives a reload.
 *
 * 1. Only the frame's own storage is used: the page could change a name, token or amount.
 * 2. An entry is valid for its lifetime. One from the future is not: the user's clock was set back.
 * 3. Each kind keeps the newest eight entries.
 * 4. Values of the wrong shape are ignored.
 */
export function createEntryCache<T>(name: string, Value: z.ZodMiniType<T>, lifetimeMs: number) {
  const Entries = z.record(z.string(), z.object({ timestamp: z.number(), value: Value }))
  const read = (memory: EntryMemory) => (memory.place === 'frame' && readStored(Entries, memory.get(name))) || {}

  return {
    find(
      memory: EntryMemory,
      clock: Pick<Clock, 'now'>,
      key: string,
    ): { readonly at: number; readonly value: T } | null {
      const entry = read(memory)[key]
      const age = clock.now() - (entry?.timestamp ?? 0)
      return entry === undefined || age < 0 || age >= lifetimeMs ? null : { at: entry.timestamp, value: entry.value }
    },
    /** `at`: epoch ms. */
    keep(memory: EntryMemory, key: string, at: number, value: T): void {
      if (memory.place !== 'frame') return
      const others = Object.entries(read(memory))
        .filter(([other]) => other !== key)
        .sort(([, one], [, other]) => other.timestamp - one.timestamp)
        .slice(0, maxEntries - 1)
      memory.set(name, JSON.stringify(Object.fromEntries([[key, { timestamp: at, value }], ...others])))
    },
    forget(memory: EntryMemory, beginning: string): void {
      const entries = Object.entries(read(memory))
      const others = entries.filter(([key]) => !key.startsWith(beginning))
      if (others.length < entries.length) memory.set(name, JSON.stringify(Object.fromEntries(others)))
    },
  }
}
