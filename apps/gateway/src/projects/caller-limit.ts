import type { Context } from 'hono'
import { callerKey, type RateLimit, takeOrThrow } from '../platform/limits/memory'
import type { CallerEnv } from './caller'

export type CallerLimit = {
  readonly rpcLimit: RateLimit
  readonly clientAddress: (context: Context) => string
}

/**
 * @returns charges a cost to the caller; throws a {@link Problem} 429 over the limit.
 *
 * The dapp's page, the modal and the wallet have a budget each: a page that spends its own cannot silence the simulation
 * of an approval.
 */
export function takeFromCaller({
  rpcLimit,
  clientAddress,
}: CallerLimit): (context: Context<CallerEnv>, cost: number) => void {
  return (context, cost) => {
    const caller = callerKey(context.get('project').id, clientAddress(context))
    takeOrThrow(rpcLimit, `${caller} ${siteOf(context)}`, cost)
  }
}

/** Host of the frame that calls its own site, or `page`. No browser lets a page choose its `Origin`. */
function siteOf({ req }: Context): string {
  const { host } = new URL(req.url)
  // The scheme is that of the proxy in front.
  return req.header('Origin')?.endsWith(`//${host}`) === false ? 'page' : host
}
