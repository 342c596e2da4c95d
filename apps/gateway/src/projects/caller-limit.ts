import type { Context } from 'hono'
import { callerKey, type RateLimit, takeOrThrow } from '../http/rate-limit'
import type { CallerEnv } from './caller'

export type CallerLimit = {
  readonly rpcLimit: RateLimit
  readonly clientAddress: (context: Context) => string
}

/** @returns charges a cost to the caller; throws a {@link Problem} 429 over the limit. */
export function takeFromCaller({
  rpcLimit,
  clientAddress,
}: CallerLimit): (context: Context<CallerEnv>, cost: number) => void {
  return (context, cost) => takeOrThrow(rpcLimit, callerKey(context.get('project').id, clientAddress(context)), cost)
}
