import { CaipNetworkId, Namespace } from '@postern/protocol'
import * as z from 'zod/mini'
import type { HostStorage } from '../../../services/storage'

const Record = z.object({
  /** Disconnected here while others still use the session. */
  left: z.array(Namespace),
  networks: z.record(z.string(), CaipNetworkId),
  accounts: z.record(z.string(), z.string().check(z.maxLength(128))),
})
export type SessionRecord = z.infer<typeof Record>
type Records = { readonly [topic: string]: SessionRecord }

const name = 'wc-sessions'
const empty: SessionRecord = { left: [], networks: {}, accounts: {} }

export type SessionRecords = {
  get(topic: string): SessionRecord
  change(topic: string, change: (record: SessionRecord) => SessionRecord): void
  forget(topic: string): void
}

/** Reads storage each time: another tab may have written it. A malformed record counts as absent. */
export function createSessionRecords(storage: HostStorage): SessionRecords {
  function all(): Records {
    try {
      const stored: unknown = JSON.parse(storage.get(name) ?? '{}')
      const records = typeof stored === 'object' && stored !== null ? Object.entries(stored) : []
      return Object.fromEntries(
        records.flatMap(([topic, record]) => {
          const parsed = Record.safeParse(record)
          return parsed.success ? [[topic, parsed.data]] : []
        }),
      )
    } catch {
      return {}
    }
  }

  function write(records: Records): void {
    storage.set(name, Object.keys(records).length === 0 ? null : JSON.stringify(records))
  }

  return {
    get: (topic) => all()[topic] ?? empty,
    change(topic, change) {
      const records = all()
      write({ ...records, [topic]: change(records[topic] ?? empty) })
    },
    forget(topic) {
      const { [topic]: gone, ...others } = all()
      if (gone !== undefined) write(others)
    },
  }
}
