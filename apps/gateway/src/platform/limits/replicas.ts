/**
 * A limiter in memory whose counts replicas exchange.
 *
 * 1. No call waits for an exchange. What passes too much between two exchanges is repaid from regained tries.
 * 2. While the exchange fails, each replica counts alone, and later exchanges its costs less what their keys regained.
 * 3. Each rate is exchanged on its own: a flood of keys of one does not delay another.
 * 4. Memory is bounded: at {@link maxUnreportedKeys} keys of a rate, the oldest costs are dropped and never exchanged.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { Orm } from '../db/open'
import { rateLimits } from '../db/schema'
import { statementTime } from '../db/sweep'
import { dropOldest } from '../drop-oldest'
import type { Limiter, Rate, Taken } from './limiter'
import type { MemoryLimiter } from './memory'

/**
 * Adds costs, in tries by key, to the total of all replicas, for at most {@link maxExchangedKeys} keys.
 *
 * @returns the totals; above the burst if the replicas took too many.
 */
export type Exchange = (rate: Rate, costs: ReadonlyMap<string, number>) => Promise<ReadonlyMap<string, number>>

const maxExchangedKeys = 1_000
/** Per rate, as in `memory.ts`. */
const maxUnreportedKeys = 50_000
const exchangeDelayMs = 250
/** A key that used this part of its burst is exchanged at once. */
const urgentPart = 0.05
const retryDelayMs = 1_000

export function createSharedLimiter(memory: MemoryLimiter, exchange: Exchange): Limiter<Taken> {
  const reports = new Map<string, ReturnType<typeof reportTo>>()

  return {
    take(takings) {
      const taken = memory.take(takings)
      if (!taken.ok) return taken
      for (const { rate, who, cost = 1 } of takings) {
        const report = reports.get(rate.name) ?? reportTo(memory, exchange, rate)
        reports.set(rate.name, report)
        report(who, cost)
      }
      return taken
    },
  }
}

/** One exchange at a time. */
function reportTo(memory: MemoryLimiter, exchange: Exchange, rate: Rate): (who: string, cost: number) => void {
  const unreported = new Map<string, number>()
  let isUrgent = false
  let isRunning = false
  let timer: NodeJS.Timeout | null = null

  return (who, cost) => {
    const total = (unreported.get(who) ?? 0) + cost
    unreported.set(who, total)
    // To nine tenths: a flood of keys does not drop on every call.
    if (unreported.size > maxUnreportedKeys) dropOldest(unreported, maxUnreportedKeys * 0.9)
    isUrgent ||= total >= rate.burst * urgentPart
    schedule()
  }

  function schedule(): void {
    if (isRunning || unreported.size === 0) return
    if (isUrgent || unreported.size >= maxExchangedKeys) void run()
    else timer ??= setTimeout(run, exchangeDelayMs).unref()
  }

  async function run(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    isRunning = true
    isUrgent = false
    const costs = takeOldest()
    try {
      const used = await exchange(rate, costs)
      // Plus those taken during the exchange.
      for (const [who, tries] of used) memory.set({ rate, who }, tries + (unreported.get(who) ?? 0))
    } catch {
      for (const [who, cost] of costs) unreported.set(who, (unreported.get(who) ?? 0) + cost)
      dropRegained()
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs).unref())
    }
    isRunning = false
    schedule()
  }

  function takeOldest(): Map<string, number> {
    const costs = new Map<string, number>()
    for (const [who, cost] of unreported) {
      if (costs.size === maxExchangedKeys) break
      costs.set(who, cost)
      unreported.delete(who)
    }
    return costs
  }

  /** Else an outage would be repaid as if all its calls came at its end. */
  function dropRegained(): void {
    for (const [who, cost] of unreported) {
      const used = memory.used({ rate, who })
      if (used === 0) unreported.delete(who)
      else if (used < cost) unreported.set(who, used)
    }
  }
}

/**
 * Exchanges by the database's clock: a replica whose clock is ahead by more than a burst would make the others refuse
 * everyone. Stores keyed hashes.
 */
export function createExchange({
  orm,
  hash,
  databaseNow = statementTime,
}: {
  readonly orm: Orm
  readonly hash: (text: string) => string
  /** Epoch ms, the same within a statement. */
  readonly databaseNow?: () => SQL
}): Exchange {
  return async ({ name, every }, costs) => {
    const keys = new Map([...costs.keys()].map((who) => [hash(`shared rate ${name} ${who}`), who]))
    const at = databaseNow()
    const rows = [...keys]
      .map(([key, who]) => ({ key, fullAt: sql`${at} + ${Math.ceil((costs.get(who) ?? 0) * every)}::bigint` }))
      // One order for all: two exchanges cannot deadlock.
      .sort((a, b) => (a.key < b.key ? -1 : 1))
    const written = await orm
      .insert(rateLimits)
      .values(rows)
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: { fullAt: sql`greatest(${rateLimits.fullAt}, ${at}) + excluded.full_at - ${at}` },
      })
      .returning({ key: rateLimits.key, untilFull: sql`${rateLimits.fullAt} - ${at}`.mapWith(Number) })
    return new Map(written.map(({ key, untilFull }) => [keys.get(key) ?? key, Math.max(0, untilFull) / every]))
  }
}
