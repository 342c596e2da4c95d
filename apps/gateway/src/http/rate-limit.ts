/**
 * A token bucket for each key, in memory: each replica counts for itself, so a fleet of n lets n times as much through.
 *
 * 1. A key starts with `burst` tokens and gains `perSecond` of them a second, never above `burst`.
 * 2. A request takes its cost or is refused whole; the refusal says after how many seconds it would pass.
 * 3. Memory is bounded: at `maxKeys` full buckets are forgotten, and then the ones seen least recently.
 */
import { problem } from './problem'

export type RateLimit = {
  take(key: string, cost: number): { readonly ok: true } | { readonly ok: false; readonly retryAfter: number }
}

/** Whom a project's callers are told apart by. */
export function callerKey(projectId: string, address: string): string {
  return `${projectId} ${address}`
}

/**
 * What a project's callers may take, each of them and all of them together: many callers of one project leave the others theirs.
 *
 * 1. Who is over their own limit takes nothing of their project's.
 * 2. Where the project is over its limit its caller has paid all the same: who goes on asking is refused by their own.
 *
 * @param perCaller by {@link callerKey}. @param perProject by the project's id.
 */
export function withProjectLimit(perCaller: RateLimit, perProject: RateLimit): RateLimit {
  return {
    take(key, cost) {
      const taken = perCaller.take(key, cost)
      return taken.ok ? perProject.take(key.slice(0, key.indexOf(' ')), cost) : taken
    },
  }
}

/** @throws {Problem} 429 that says when to come back. */
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
}

export function createRateLimit({ perSecond, burst, now, maxKeys = 50_000 }: RateLimitOptions): RateLimit {
  /** In the order in which they were last seen. */
  const buckets = new Map<string, { tokens: number; at: number }>()

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
      return ok ? { ok } : { ok, retryAfter: Math.ceil((Math.min(cost, burst) - tokens) / perSecond) }
    },
  }

  /** Down to nine tenths, so that a flood of keys does not bring us here each time. */
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
