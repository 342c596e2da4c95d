import type { Context } from 'hono'
import { type Limiter, type Rate, type Taken, takenOrThrow } from '../platform/limits/limiter'
import type { CallerEnv } from './caller'

/** In calls: of a caller of a project, and of all its callers together. */
export type CallRates = { readonly caller: Rate; readonly project: Rate }

export type CallerLimit = {
  readonly limiter: Limiter<Taken>
  readonly callRates: CallRates
  readonly clientAddress: (context: Context) => string
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
 *    Hence two steps: in one, the refusal would cost nothing.
 *
 * @param address of the network, or more of the caller.
 */
export function takeCalls(
  limiter: Limiter<Taken>,
  rates: CallRates,
  { projectId, address }: { readonly projectId: string; readonly address: string },
  cost: number,
): Taken {
  const taken = limiter.take([{ rate: rates.caller, who: callerKey(projectId, address), cost }])
  return taken.ok ? limiter.take([{ rate: rates.project, who: projectId, cost }]) : taken
}

/**
 * @returns charges a cost to the caller; throws a {@link Problem} 429 over the limit.
 *
 * The dapp's page, the modal and the wallet have a budget each: a page that spends its own cannot silence the simulation
 * of an approval.
 */
export function takeFromCaller({
  limiter,
  callRates,
  clientAddress,
}: CallerLimit): (context: Context<CallerEnv>, cost: number) => void {
  return (context, cost) => {
    const address = `${clientAddress(context)} ${callingSite(context)}`
    takenOrThrow(takeCalls(limiter, callRates, { projectId: context.get('project').id, address }, cost))
  }
}

/**
 * Site of the frame that calls its own site, or `page`. No browser lets a page choose its `Origin`.
 *
 * Not by the URL: a caller may name any host in the request target (RFC 9112 §3.2.2).
 */
function callingSite(context: Context<CallerEnv>): string {
  const { req } = context
  // The scheme is that of the proxy in front.
  const isPage = req.header('Origin')?.endsWith(`//${req.header('Host')?.toLowerCase()}`) === false
  return isPage ? 'page' : context.get('site')
}
