/**
 * Rate limits, all by one algorithm: a token bucket, as in GCRA. No window ends at which a caller gets its tries back at
 * once.
 *
 * Requirements of every limiter (`memory.ts`, `postgres.ts`), which `limiter.test.ts` tests on each:
 * 1. A rate allows `burst` tries at once and gives one back every `every` ms: in any time `t` at most `burst + t /
 *    every`. So a rate with an hour's tries as its burst may pass twice as many in its first hour.
 * 2. A taking gets its whole cost or is refused. A refusal costs nothing, and has the rate and the seconds after which
 *    the same cost passes. A cost above the burst never passes.
 * 3. Several takings are taken together or not at all: a try that one of them refuses uses up nothing of the others. So
 *    a flood against one address spends neither its network's share nor the project's.
 * 4. Concurrent tries never exceed a rate.
 * 5. Neither rates nor keys of a rate affect each other.
 * 6. A clock that goes back makes used keys wait for as much longer, and affects no others.
 */
import { problem } from '../http/problem'

export type Rate = {
  /** Distinct; replicas of two versions share a count by it. */
  readonly name: string
  readonly burst: number
  /** In ms; a whole number in PostgreSQL. */
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

/**
 * @param untilFull ms until the key has all its tries back.
 * @returns ms until the taking passes; at most 0 if it passes now. For a cost above the burst, which never passes: ms until
 *    the key has all its tries back.
 */
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
