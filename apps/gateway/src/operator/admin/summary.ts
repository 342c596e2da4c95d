/** Stored events per day, for the console. Days are UTC. */
import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { analyticsEvents } from '../../platform/db/money-schema'
import type { Database } from '../../platform/db/open'

export const AnalyticsSummary = z.strictObject({
  days: z.array(
    z.strictObject({
      /** `2026-01-31`. */
      day: z.string(),
      /** Origins with an event; the gateway stores nothing that tells visitors apart. */
      sites: z.int(),
      opens: z.int(),
      connects: z.int(),
      failures: z.int(),
    }),
  ),
  connects: z.array(
    z.strictObject({
      day: z.string(),
      wallet: z.string(),
      /** `eip155`, `solana` or `bip122`; null for an attempt that failed. */
      chain: z.nullable(z.string()),
      outcome: z.enum(['connected', 'declined', 'failed']),
      count: z.int(),
    }),
  ),
})
export type AnalyticsSummary = z.infer<typeof AnalyticsSummary>

const dayMs = 86_400_000
const outcomes = { CONNECT_SUCCESS: 'connected', USER_REJECTED: 'declined', CONNECT_ERROR: 'failed' } as const
const maxConnects = 2_000

export async function summarise(
  { orm }: Pick<Database, 'orm'>,
  { projectId, days }: { readonly projectId: string; readonly days: number },
  now: number,
): Promise<AnalyticsSummary> {
  const since = new Date(Math.floor(now / dayMs) * dayMs - (days - 1) * dayMs)
  const day = sql<string>`to_char(${analyticsEvents.receivedAt} at time zone 'UTC', 'YYYY-MM-DD')`
  const isRecent = and(eq(analyticsEvents.projectId, projectId), gte(analyticsEvents.receivedAt, since))
  const count = (...events: string[]) =>
    sql<number>`(count(*) filter (where ${inArray(analyticsEvents.event, events)}))::int`
  const byDay = await orm
    .select({
      day,
      sites: sql<number>`(count(distinct ${analyticsEvents.origin}))::int`,
      opens: count('MODAL_OPEN'),
      connects: count('CONNECT_SUCCESS'),
      failures: count('CONNECT_ERROR'),
    })
    .from(analyticsEvents)
    .where(isRecent)
    .groupBy(sql`1`)
  const wallet = sql<string>`coalesce(${analyticsEvents.properties}->>'name', 'unknown')`
  const chain = sql<string | null>`${analyticsEvents.properties}->>'namespace'`
  const byWallet = await orm
    .select({ day, wallet, chain, event: analyticsEvents.event, count: sql<number>`count(*)::int` })
    .from(analyticsEvents)
    .where(and(isRecent, inArray(analyticsEvents.event, Object.keys(outcomes))))
    .groupBy(sql`1, 2, 3, 4`)
    .orderBy(sql`1 desc, 5 desc, 2`)
    .limit(maxConnects)
  const found = new Map(byDay.map((row) => [row.day, row]))
  return {
    days: Array.from({ length: days }, (_, index) => {
      const name = new Date(since.getTime() + index * dayMs).toISOString().slice(0, 10)
      return found.get(name) ?? { day: name, sites: 0, opens: 0, connects: 0, failures: 0 }
    }),
    connects: byWallet.flatMap(({ event, ...row }) => (isOutcome(event) ? [{ ...row, outcome: outcomes[event] }] : [])),
  }
}

function isOutcome(event: string): event is keyof typeof outcomes {
  return event in outcomes
}
