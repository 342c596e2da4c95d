import type { BalanceResponse } from '@postern/protocol'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { CallerEnv } from '../../http/caller'
import { parseOrThrow } from '../../http/problem'
import { callerKey, type RateLimit, takeOrThrow } from '../../http/rate-limit'
import { readAccount } from '../account'
import { orBadGateway } from '../problems'
import type { Balances } from './balances'

export const BalanceQuery = z.object({
  currency: z._default(z.string().check(z.regex(/^[a-zA-Z]{3}$/)), 'usd'),
  chainId: z.optional(z.string()),
  forceUpdate: z.optional(z.string()),
})

/** Calls to a chain that one question is counted as. */
const cost = 5

export type AccountRoutesOptions = {
  readonly balances: Balances
  readonly rpcLimit: RateLimit
  readonly clientAddress: (context: Context) => string
}

/** `GET /v1/account/:address/balance` (interop §3). */
export function accountRoutes({ balances, rpcLimit, clientAddress }: AccountRoutesOptions): Hono<CallerEnv> {
  return new Hono<CallerEnv>().get('/v1/account/:address/balance', async (context) => {
    const account = readAccount(context.req.param('address'))
    const { chainId, currency, forceUpdate } = parseOrThrow(BalanceQuery, context.req.query())
    takeOrThrow(rpcLimit, callerKey(context.get('project').id, clientAddress(context)), cost)
    const question = { chainId, currency: currency.toLowerCase(), fresh: forceUpdate === 'true' }
    const answer = { balances: await orBadGateway(balances(account, question)) }
    return context.json(answer satisfies BalanceResponse)
  })
}
