import { createMemoryLimiter } from '../platform/limits/memory'
import type { CallerLimit, CallRates } from '../projects/caller-limit'

type Amount = { readonly perSecond: number; readonly burst: number }

/** Of calls to the proxies. */
export function callLimit(
  caller: Amount,
  now: () => number,
  project?: Amount,
): Pick<CallerLimit, 'limiter' | 'callRates'> {
  return { limiter: createMemoryLimiter({ now }), callRates: callRates(caller, project) }
}

/** Default for a project: more than any test uses. */
export function callRates(caller: Amount, project: Amount = { perSecond: 1e6, burst: 1e9 }): CallRates {
  return { caller: rate('calls of a caller', caller), project: rate('calls of a project', project) }
}

function rate(name: string, { perSecond, burst }: Amount) {
  return { name, burst, every: 1_000 / perSecond }
}
