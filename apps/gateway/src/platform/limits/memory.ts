/**
 * 1. Memory is bounded: at `maxKeys` of a rate, unused keys are evicted first, then the least recently seen. A refused
 *    key was seen: asking again brings no new burst.
 * 2. A flood of keys of one rate evicts none of another.
 */
import { dropOldest } from '../drop-oldest'
import { type Limiter, type Rate, refusal, type Taken, type Taking, waitOf } from './limiter'

export type MemoryLimiter = Limiter<Taken> & {
  /** Used and not regained; 0 for an evicted key. */
  used(key: Pick<Taking, 'rate' | 'who'>): number
  /** Ignores evicted keys. */
  set(key: Pick<Taking, 'rate' | 'who'>, used: number): void
}

type Count = { used: number; at: number }

export function createMemoryLimiter({
  now,
  maxKeys = 50_000,
}: {
  /** Epoch ms. */
  readonly now: () => number
  readonly maxKeys?: number
}): MemoryLimiter {
  /** By rate name, then by key in order of last use. */
  const counts = new Map<string, Map<string, Count>>()

  return {
    take(takings) {
      const taken: { readonly count: Count; readonly cost: number }[] = []
      for (const taking of takings) {
        const { rate, cost = 1 } = taking
        const count = see(taking)
        // Also refuses NaN, which would pass forever.
        if (!(count.used + cost <= rate.burst)) {
          for (const earlier of taken) earlier.count.used -= earlier.cost
          return refusal(rate, waitOf(taking, count.used * rate.every))
        }
        count.used += cost
        taken.push({ count, cost })
      }
      return { ok: true }
    },
    used({ rate, who }) {
      const count = counts.get(rate.name)?.get(who)
      return count === undefined ? 0 : usedAt(count, now(), rate)
    },
    set({ rate, who }, used) {
      const count = counts.get(rate.name)?.get(who)
      if (count !== undefined) Object.assign(count, { used, at: now() })
    },
  }

  function see({ rate, who }: Taking): Count {
    const at = now()
    const ofRate = counts.get(rate.name) ?? new Map<string, Count>()
    counts.set(rate.name, ofRate)
    const count = ofRate.get(who) ?? { used: 0, at }
    count.used = usedAt(count, at, rate)
    count.at = at
    if (!ofRate.delete(who) && ofRate.size >= maxKeys) evict(ofRate, at, rate)
    ofRate.set(who, count)
    return count
  }

  /** To nine tenths: a flood of keys does not evict on every request. */
  function evict(ofRate: Map<string, Count>, at: number, rate: Rate): void {
    for (const [who, count] of ofRate) if (usedAt(count, at, rate) === 0) ofRate.delete(who)
    dropOldest(ofRate, maxKeys * 0.9)
  }
}

function usedAt(count: Count, at: number, { every }: Rate): number {
  return Math.max(0, count.used - (at - count.at) / every)
}
