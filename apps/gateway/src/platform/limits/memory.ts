/**
 * A token bucket per key, in memory; with an {@link Exchange}, replicas share it.
 *
 * 1. A key starts with `burst` tokens and gains `perSecond` per second, never above `burst`.
 * 2. A request takes its whole cost or is refused; the refusal says after how many seconds it would pass.
 * 3. Memory is bounded: at `maxKeys`, full buckets are evicted first, then the least recently seen.
 * 4. No request waits for the exchange. What replicas pass too much between two exchanges is taken from the tokens that
 *    they gain next.
 * 5. While the exchange fails, each replica counts alone.
 */
import { problem } from '../http/problem'

export type RateLimit = {
  take(key: string, cost: number): { readonly ok: true } | { readonly ok: false; readonly retryAfter: number }
}

/** Per caller and project. */
export function callerKey(projectId: string, address: string): string {
  return `${projectId} ${address}`
}

/**
 * Limits each caller and all callers of a project together, so that one project's callers do not affect others.
 *
 * 1. A caller over its own limit uses up nothing of its project's.
 * 2. A caller refused by the project's limit still pays its own, so that its retries are refused by its own limit.
 *
 * @param perCaller keyed by {@link callerKey}.
 * @param perProject keyed by the project's id.
 */
export function withProjectLimit(perCaller: RateLimit, perProject: RateLimit): RateLimit {
  return {
    take(key, cost) {
      const taken = perCaller.take(key, cost)
      return taken.ok ? perProject.take(key.slice(0, key.indexOf(' ')), cost) : taken
    },
  }
}

/** @throws {Problem} 429 with the retry time. */
export function takeOrThrow(limit: RateLimit, key: string, cost: number): void {
  const taken = limit.take(key, cost)
  if (!taken.ok) throw problem(429, 'rate', 'Too many calls', { 'Retry-After': String(taken.retryAfter) })
}

export type RateLimitOptions = {
  readonly perSecond: number
  readonly burst: number
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly maxKeys?: number
  readonly exchange?: Exchange | undefined
}

/**
 * Adds this replica's costs to the total of all replicas. At most {@link maxExchangedKeys} keys.
 *
 * @returns the tokens that all replicas have left together, by key; negative if they took too many.
 */
export type Exchange = (costs: ReadonlyMap<string, number>) => Promise<ReadonlyMap<string, number>>

const maxExchangedKeys = 1_000
/** Costs of this long go together. */
const exchangeDelayMs = 250
/** A key that used this part of its burst is exchanged at once. */
const urgentPart = 0.05
const retryDelayMs = 1_000

export function createRateLimit({ perSecond, burst, now, maxKeys = 50_000, exchange }: RateLimitOptions): RateLimit {
  /** By last use. */
  const buckets = new Map<string, { tokens: number; at: number }>()
  const report = exchange === undefined ? null : reportTo(exchange, burst, correct)

  return {
    take(key, cost) {
      const at = now()
      const bucket = buckets.get(key)
      const tokens =
        bucket === undefined ? burst : Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond)
      const ok = cost <= tokens
      buckets.delete(key)
      buckets.set(key, { tokens: ok ? tokens - cost : tokens, at })
      if (buckets.size > maxKeys) forget(at)
      if (ok) report?.(key, cost)
      return ok ? { ok } : { ok, retryAfter: Math.ceil((Math.min(cost, burst) - tokens) / perSecond) }
    },
  }

  function correct(key: string, tokens: number): void {
    const bucket = buckets.get(key)
    if (bucket === undefined) return
    bucket.tokens = tokens
    bucket.at = now()
  }

  /** Down to nine tenths: a flood of keys does not evict on every request. */
  function forget(at: number): void {
    for (const [key, bucket] of buckets) {
      if (bucket.tokens + ((at - bucket.at) / 1000) * perSecond >= burst) buckets.delete(key)
    }
    for (const key of buckets.keys()) {
      if (buckets.size <= maxKeys * 0.9) return
      buckets.delete(key)
    }
  }
}

/**
 * Collects costs and exchanges them, one exchange at a time.
 *
 * @param correct gets the tokens that are left, without those taken during the exchange.
 */
function reportTo(
  exchange: Exchange,
  burst: number,
  correct: (key: string, tokens: number) => void,
): (key: string, cost: number) => void {
  const unreported = new Map<string, number>()
  let isUrgent = false
  let isRunning = false
  let timer: NodeJS.Timeout | null = null

  return (key, cost) => {
    const total = (unreported.get(key) ?? 0) + cost
    unreported.set(key, total)
    isUrgent ||= total >= burst * urgentPart
    schedule()
  }

  function schedule(): void {
    if (isRunning || unreported.size === 0) return
    if (isUrgent) void run()
    else timer ??= setTimeout(run, exchangeDelayMs).unref()
  }

  async function run(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    isRunning = true
    isUrgent = false
    const costs = new Map([...unreported].slice(0, maxExchangedKeys))
    for (const key of costs.keys()) unreported.delete(key)
    try {
      for (const [key, tokens] of await exchange(costs)) correct(key, tokens - (unreported.get(key) ?? 0))
    } catch {
      unreported.clear()
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs).unref())
    }
    isRunning = false
    schedule()
  }
}
