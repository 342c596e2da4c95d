/** What the gateway knows of its own parts. Counts are of this process, since its start. */
import * as z from 'zod/mini'
import type { Database } from '../../platform/db/open'
import type { Metrics } from '../../platform/metrics/metrics'

export const AdminHealth = z.strictObject({
  version: z.string(),
  uptimeSeconds: z.int(),
  database: z.strictObject({
    kind: z.enum(['embedded', 'postgresql']),
    answers: z.boolean(),
    ms: z.int(),
    /** Null for the embedded database. */
    connections: z.nullable(z.strictObject({ total: z.int(), idle: z.int(), waiting: z.int() })),
  }),
  email: z.strictObject({ configured: z.boolean(), sent: z.int(), failed: z.int() }),
  upstreams: z.array(z.strictObject({ host: z.string(), answered: z.int(), failed: z.int() })),
  limits: z.array(z.strictObject({ route: z.string(), refused: z.int() })),
})
export type AdminHealth = z.infer<typeof AdminHealth>

export function createHealth(options: {
  readonly database: Pick<Database, 'kind' | 'ping' | 'pool'>
  readonly metrics: Pick<Metrics, 'summary'>
  readonly version: string
  readonly hasMail: boolean
  /** Monotonic, in ms. */
  readonly clock: () => number
}): () => Promise<AdminHealth> {
  const { database, metrics, version, hasMail, clock } = options
  const startedAt = clock()
  return async () => {
    const askedAt = clock()
    const answers = await database.ping().then(
      () => true,
      () => false,
    )
    const { mails, upstreams, limits } = await metrics.summary()
    return {
      version,
      uptimeSeconds: Math.floor((clock() - startedAt) / 1000),
      database: {
        kind: database.kind,
        answers,
        ms: Math.round(clock() - askedAt),
        connections: database.pool?.() ?? null,
      },
      email: { configured: hasMail, ...mails },
      upstreams: [...upstreams],
      limits: [...limits],
    }
  }
}
