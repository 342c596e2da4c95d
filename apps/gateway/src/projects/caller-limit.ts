import type { Context } from 'hono'
import { siteOf } from '../platform/http/client-address'
import { type Limiter, type Rate, type Taken, type Taking, takenOrThrow } from '../platform/limits/limiter'
import type { CallerEnv } from './caller'

/** In calls. */
export type CallRates = { readonly caller: Rate; readonly project: Rate }

export type CallerLimit = {
  readonly limiter: Limiter<Taken>
  readonly callRates: CallRates
  readonly clientAddress: (context: Context) => string
}

/** In callers' limits: one customer may own a whole /48. */
export const callersPerSite = 8

/**
 * What an action takes from the limit of its caller and, for IPv6, of the caller's /48.
 *
 * @param rate of one caller. In PostgreSQL, `every` is a multiple of {@link callersPerSite}.
 * @param address from `clientAddress`.
 */
export function callerTakings(
  rate: Rate,
  address: string,
  keyOf: (network: string) => string = (network) => network,
  cost = 1,
): Taking[] {
  const { name, burst, every } = rate
  const site = siteOf(address)
  const siteRate = { name: `${name}, by /48`, burst: burst * callersPerSite, every: every / callersPerSite }
  return [{ rate, who: keyOf(address), cost }, ...(site === null ? [] : [{ rate: siteRate, who: keyOf(site), cost }])]
}

/**
 * Limits a caller, its IPv6 /48 and all callers of a project.
 *
 * 1. A caller over its own limit, or its /48's, uses up nothing of the project's.
 * 2. A caller refused by the project's limit still pays its own, which then refuses its retries. Hence two steps.
 *
 * @param caller `budget`: what has a limit of its own.
 */
export function takeCalls(
  limiter: Limiter<Taken>,
  rates: CallRates,
  { projectId, address, budget }: { readonly projectId: string; readonly address: string; readonly budget?: string },
  cost: number,
): Taken {
  const keyOf = (network: string) => [projectId, network, ...(budget === undefined ? [] : [budget])].join(' ')
  const taken = limiter.take(callerTakings(rates.caller, address, keyOf, cost))
  return taken.ok ? limiter.take([{ rate: rates.project, who: projectId, cost }]) : taken
}

/**
 * Page, modal and wallet have separate budgets: a page that spends its own cannot block an approval's simulation.
 *
 * @throws {Problem} 429, from the returned function.
 */
export function takeFromCaller({
  limiter,
  callRates,
  clientAddress,
}: CallerLimit): (context: Context<CallerEnv>, cost: number) => void {
  return (context, cost) => {
    const caller = {
      projectId: context.get('project').id,
      address: clientAddress(context),
      budget: callingSite(context),
    }
    takenOrThrow(takeCalls(limiter, callRates, caller, cost))
  }
}

/**
 * The frame's site on its own host, else `page`: no browser lets a page choose its `Origin`, but a caller may name any
 * host in the request target (RFC 9112 §3.2.2).
 */
function callingSite(context: Context<CallerEnv>): string {
  const { req } = context
  // The proxy in front sets the scheme.
  const isPage = req.header('Origin')?.endsWith(`//${req.header('Host')?.toLowerCase()}`) === false
  return isPage ? 'page' : context.get('site')
}
