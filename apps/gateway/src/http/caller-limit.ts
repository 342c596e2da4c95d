import type { Context } from 'hono'
import type { CallerEnv } from './caller'
import { callerKey, type RateLimit, takeOrThrow } from './rate-limit'

export type CallerLimit = {
  /** By {@link callerKey}. */
  readonly rpcLimit: RateLimit
  readonly clientAddress: (context: Context) => string
}

/** @returns how a call's cost is taken from its caller's share; throws a {@link Problem} 429 where that is used up. */
export function takeFromCaller({
  rpcLimit,
  clientAddress,
}: CallerLimit): (context: Context<CallerEnv>, cost: number) => void {
  return (context, cost) => takeOrThrow(rpcLimit, callerKey(context.get('project').id, clientAddress(context)), cost)
}
