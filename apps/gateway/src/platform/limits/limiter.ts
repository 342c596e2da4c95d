/**
 * Rate limits by token bucket, as in GCRA: no window ends at which a caller gets all tries back.
 *
 * Requirements, which `limiter.test.ts` tests on every limiter:
 * 1. A rate allows `burst` tries at once and returns one every `every` ms: at most `burst + t / every` in any time `t`.
 *    A burst of an hour's tries passes twice as many in the first hour.
 * 2. A taking gets its whole cost or is refused. A refusal costs nothing, and tells when the cost passes. A cost above
 *    the burst never passes.
 * 3. Takings pass together or not at all: a flood against one address spends neither its network's nor its project's
 *    limit.
 * 4. Concurrent tries never exceed a rate.
 * 5. Rates do not affect each other, nor do keys.
 * 6. A clock that goes back makes used keys wait that much longer, and affects no others.
 */
import { problem } from '../http/problem'

export type Rate = {
  /** Replicas of two versions share a count by the name. */
  readonly name: string
  readonly burst: number
  /** Ms; a whole number in PostgreSQL. */
  readonly every: number
}

export type Taking = {
  readonly rate: Rate
  readonly who: string
  /** In tries. Default: 1. */
  readonly cost?: number
}

/** `retryAfter` in s, at least 1. */
export type Refused = { readonly ok: false; readonly rate: Rate; readonly retryAfter: number }
export type Taken = { readonly ok: true } | Refused

export type Limiter<Result extends Taken | Promise<Taken> = Taken | Promise<Taken>> = {
  /** @param takings of distinct keys, narrowest first. */
  take(takings: readonly Taking[]): Result
}

/** @param untilFull ms until all tries are back. @returns ms until the taking passes, at most 0 for now. */
export function waitOf({ rate: { burst, every }, cost = 1 }: Taking, untilFull: number): number {
  return untilFull + (Math.min(cost, burst) - burst) * every
}

/** @param wait ms; NaN if the cost is not a number. */
export function refusal(rate: Rate, wait: number): Refused {
  return { ok: false, rate, retryAfter: Math.max(1, Math.ceil(wait / 1000) || 1) }
}

/** @throws {Problem} 429 with the retry time. */
export function takenOrThrow(taken: Taken): void {
  if (!taken.ok) throw problem(429, 'rate', 'Too many calls', { 'Retry-After': String(taken.retryAfter) })
}
