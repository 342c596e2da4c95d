import type { BalanceResponse } from '@postern/protocol'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { CallerEnv } from '../../http/caller'
import { parseOrThrow } from '../../http/problem'
import { callerKey, type RateLimit, takeOrThrow } from '../../http/rate-limit'
import { readAccount } from '../account'
import type { History } from '../history/history'
import { orBadGateway } from '../problems'
import type { Balances } from './balances'

export const BalanceQuery = z.object({
  currency: z._default(z.string().check(z.regex(/^[a-zA-Z]{3}$/)), 'usd'),
  chainId: z.optional(z.string()),
  forceUpdate: z.optional(z.string()),
})

export const HistoryQuery = z.object({ cursor: z.optional(z.string()), chainId: z.optional(z.string()) })

/** Calls to a chain that one question is counted as. */
const cost = 5

export type AccountRoutesOptions = {
  readonly balances: Balances
  readonly history: History
  readonly rpcLimit: RateLimit
  readonly clientAddress: (context: Context) => string
}

/** `GET /v1/account/:address/balance` and `/history` (interop §3). */
export function accountRoutes({ balances, history, rpcLimit, clientAddress }: AccountRoutesOptions): Hono<CallerEnv> {
  const take = (context: Context<CallerEnv>) =>
    takeOrThrow(rpcLimit, callerKey(context.get('project').id, clientAddress(context)), cost)

  return new Hono<CallerEnv>()
    .get('/v1/account/:address/balance', async (context) => {
      const account = readAccount(context.req.param('address'))
      const { chainId, currency, forceUpdate } = parseOrThrow(BalanceQuery, context.req.query())
      take(context)
      const question = { chainId, currency: currency.toLowerCase(), fresh: forceUpdate === 'true' }
      const answer = { balances: await orBadGateway(balances(account, question)) }
      return context.json(answer satisfies BalanceResponse)
    })
    .get('/v1/account/:address/history', async (context) => {
      const account = readAccount(context.req.param('address'))
      const query = parseOrThrow(HistoryQuery, context.req.query())
      take(context)
      return context.json(await orBadGateway(history(account, query)))
    })
}
