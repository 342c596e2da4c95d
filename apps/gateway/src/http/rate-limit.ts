/**
 * A token bucket per key, in memory. Each replica counts on its own, so n replicas allow n times as much.
 *
 * 1. A key starts with `burst` tokens and gains `perSecond` per second, never above `burst`.
 * 2. A request takes its whole cost or is refused; the refusal says after how many seconds it would pass.
 * 3. Memory is bounded: at `maxKeys`, full buckets are evicted first, then the least recently seen.
 */
import { problem } from './problem'

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
}

export function createRateLimit({ perSecond, burst, now, maxKeys = 50_000 }: RateLimitOptions): RateLimit {
  /** By last use. */
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
