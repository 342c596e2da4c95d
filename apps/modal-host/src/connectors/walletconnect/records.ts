import { CaipNetworkId, Namespace } from '@postern/protocol'
import * as z from 'zod/mini'
import type { HostStorage } from '../../services/storage'

/** What is remembered of a session besides what the wallet granted. */
const Record = z.object({
  /** Namespaces that the visitor has left here while the session lives on for others. */
  left: z.array(Namespace),
  /** The network that each namespace is on. */
  networks: z.record(z.string(), CaipNetworkId),
  /** The account that the wallet named last, by namespace. */
  accounts: z.record(z.string(), z.string().check(z.maxLength(128))),
})
export type SessionRecord = z.infer<typeof Record>
const Records = z.record(z.string(), Record)

const name = 'wc-sessions'
const empty: SessionRecord = { left: [], networks: {}, accounts: {} }

export type SessionRecords = {
  get(topic: string): SessionRecord
  change(topic: string, change: (record: SessionRecord) => SessionRecord): void
  forget(topic: string): void
}

/** Read from storage each time: another tab may have written. What does not parse is as if nothing were there. */
export function createSessionRecords(storage: HostStorage): SessionRecords {
  function all(): z.infer<typeof Records> {
    try {
      const parsed = Records.safeParse(JSON.parse(storage.get(name) ?? '{}'))
      return parsed.success ? parsed.data : {}
    } catch {
      return {}
    }
  }

  function keep(records: z.infer<typeof Records>): void {
    storage.set(name, Object.keys(records).length === 0 ? null : JSON.stringify(records))
  }

  return {
    get: (topic) => all()[topic] ?? empty,
    change(topic, change) {
      const records = all()
      keep({ ...records, [topic]: change(records[topic] ?? empty) })
    },
    forget(topic) {
      const { [topic]: gone, ...others } = all()
      if (gone !== undefined) keep(others)
    },
  }
}
