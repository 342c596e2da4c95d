/**
 * Analytics events in the database.
 *
 * 1. Events are written in batches, once a second and at the process's end; a crash loses unwritten ones.
 * 2. Memory and disk are bounded: new events are dropped, and counted in the log, beyond `max` waiting events,
 *    `perProject` of one project, and `perDay` stored events of one project and day.
 * 3. An event that arrives twice counts once.
 * 4. A project and day have at most a hundred event names: made-up names cannot fill the table of counts.
 * 5. Events are deleted after the project's number of days, default `days`; the counts stay.
 */
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { analyticsCounts, analyticsEvents } from '../../platform/db/money-schema'
import type { Database } from '../../platform/db/open'
import { projects } from '../../platform/db/schema'
import { sweepRows } from '../../platform/db/sweep'
import type { Log } from '../../platform/log/log'
import type { StoredEvent } from './event'

export type Analytics = {
  /** False: dropped. */
  take(event: StoredEvent): boolean
  flush(): Promise<void>
  sweep(): Promise<void>
}

export type AnalyticsOptions = {
  readonly database: Pick<Database, 'orm'>
  readonly log: Pick<Log, 'warn'>
  /** Epoch ms. */
  readonly now: () => number
  readonly days: number
  readonly max?: number
  readonly perProject?: number
  readonly perDay?: number
}

const day = 86_400_000
const maxNames = 100
/** PostgreSQL allows 65,535 parameters; a row has eight. */
const atOnce = 500

export function createAnalytics({
  database: { orm },
  log,
  now,
  days,
  max = 5_000,
  perProject = 1_000,
  perDay = 200_000,
}: AnalyticsOptions): Analytics {
  let waiting: StoredEvent[] = []
  let ofProject = new Map<string, number>()
  let dropped = 0
  let writing: Promise<void> = Promise.resolve()

  async function write(events: readonly StoredEvent[]): Promise<void> {
    await orm.transaction(async (transaction) => {
      // Skips deleted projects.
      const named = [...new Set(events.map(({ projectId }) => projectId))]
      const known = await transaction
        .select({ id: projects.id })
        .from(projects)
        .where(inArray(projects.id, named))
        .for('key share')
      const left = new Map<string, number>()
      for (const { id } of known) left.set(id, perDay - (await countOf(transaction, id)))
      const rows = events
        .filter(({ projectId }) => {
          const room = left.get(projectId)
          if (room === undefined) return false
          left.set(projectId, room - 1)
          if (room <= 0) dropped += 1
          return room > 0
        })
        .map(({ receivedAt, ...event }) => ({ ...event, receivedAt: new Date(receivedAt) }))
      if (rows.length === 0) return
      const added = await transaction.insert(analyticsEvents).values(rows).onConflictDoNothing().returning({
        projectId: analyticsEvents.projectId,
        event: analyticsEvents.event,
        receivedAt: analyticsEvents.receivedAt,
      })
      for (const [key, number] of tally(added)) await addCount(transaction, key, number)
    })
  }

  async function countOf(within: Pick<typeof orm, 'select'>, projectId: string): Promise<number> {
    const [row] = await within
      .select({ total: sql<number>`coalesce(sum(${analyticsCounts.count}), 0)::int` })
      .from(analyticsCounts)
      .where(and(eq(analyticsCounts.projectId, projectId), eq(analyticsCounts.day, dayOf(new Date(now())))))
    return row?.total ?? 0
  }

  async function addCount(within: Pick<typeof orm, 'select' | 'insert'>, key: CountKey, number: number): Promise<void> {
    const { projectId, day: on, event } = key
    const isSame = and(eq(analyticsCounts.projectId, projectId), eq(analyticsCounts.day, on))
    const names = await within.select({ event: analyticsCounts.event }).from(analyticsCounts).where(isSame)
    if (names.length >= maxNames && !names.some((name) => name.event === event)) return
    await within
      .insert(analyticsCounts)
      .values({ projectId, day: on, event, count: number })
      .onConflictDoUpdate({
        target: [analyticsCounts.projectId, analyticsCounts.day, analyticsCounts.event],
        set: { count: sql`${analyticsCounts.count} + ${number}` },
      })
  }

  async function flushNow(): Promise<void> {
    const events = waiting
    waiting = []
    ofProject = new Map()
    if (dropped > 0) log.warn({ dropped }, 'analytics dropped')
    dropped = 0
    for (let start = 0; start < events.length; start += atOnce) await write(events.slice(start, start + atOnce))
  }

  return {
    take(event) {
      const own = ofProject.get(event.projectId) ?? 0
      if (waiting.length >= max || own >= perProject) {
        dropped += 1
        return false
      }
      ofProject.set(event.projectId, own + 1)
      waiting.push(event)
      return true
    },
    flush() {
      writing = writing.then(flushNow, flushNow)
      return writing
    },
    async sweep() {
      for (const { id, kept } of await orm.select({ id: projects.id, kept: projects.analyticsDays }).from(projects)) {
        const isOld = lt(analyticsEvents.receivedAt, new Date(now() - (kept ?? days) * day))
        await sweepRows(orm, analyticsEvents, sql`${eq(analyticsEvents.projectId, id)} and ${isOld}`)
      }
    },
  }
}

type CountKey = { readonly projectId: string; readonly day: string; readonly event: string }

function tally(
  rows: readonly { readonly projectId: string; readonly event: string; readonly receivedAt: Date }[],
): [CountKey, number][] {
  const counts = new Map<string, [CountKey, number]>()
  for (const { projectId, event, receivedAt } of rows) {
    const key = { projectId, event, day: dayOf(receivedAt) }
    const name = JSON.stringify(key)
    counts.set(name, [key, (counts.get(name)?.[1] ?? 0) + 1])
  }
  return [...counts.values()]
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
