import type { BalanceResponse } from '@postern/protocol'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { parseOrThrow } from '../../../platform/http/problem'
import type { CallerEnv } from '../../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../../projects/caller-limit'
import { readAccount } from '../account'
import type { History } from '../history/history'
import { pictureUrl } from '../nfts/nfts'
import { orBadGateway } from '../problems'
import type { Balances } from './balances'

export const BalanceQuery = z.object({
  currency: z._default(z.string().check(z.regex(/^[a-zA-Z]{3}$/)), 'usd'),
  chainId: z.optional(z.string()),
  forceUpdate: z.optional(z.string()),
})

export const HistoryQuery = z.object({ cursor: z.optional(z.string()), chainId: z.optional(z.string()) })

/** In calls to a chain. */
const cost = 5

export type AccountRoutesOptions = CallerLimit & {
  readonly balances: Balances
  readonly history: History
}

/** `GET /v1/account/:address/balance` and `/history` (interop §3). */
export function accountRoutes(options: AccountRoutesOptions): Hono<CallerEnv> {
  const { balances, history } = options
  const take = takeFromCaller(options)

  return new Hono<CallerEnv>()
    .get('/v1/account/:address/balance', async (context) => {
      const account = readAccount(context.req.param('address'))
      const { chainId, currency, forceUpdate } = parseOrThrow(BalanceQuery, context.req.query())
      take(context, cost)
      const question = { chainId, currency: currency.toLowerCase(), fresh: forceUpdate === 'true' }
      const answer = { balances: await orBadGateway(balances(account, question)) }
      return context.json(answer satisfies BalanceResponse)
    })
    .get('/v1/account/:address/history', async (context) => {
      const account = readAccount(context.req.param('address'))
      const query = parseOrThrow(HistoryQuery, context.req.query())
      take(context, cost)
      const { id } = context.get('project')
      return context.json(await orBadGateway(history(account, query, (key) => pictureUrl(id, key))))
    })
}
