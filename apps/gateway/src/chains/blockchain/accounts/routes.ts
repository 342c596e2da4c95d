import type { BalanceResponse } from '@postern/protocol'
import { blockchainAnswers as answers } from '@postern/protocol'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { operation, serveOperation } from '../../../platform/http/operation'
import { parseOrThrow } from '../../../platform/http/problem'
import type { CallerEnv } from '../../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../../projects/caller-limit'
import type { History } from '../history/history'
import { pictureUrl } from '../nfts/nfts'
import { orBadGateway } from '../problems'
import { readAccount } from '../read-account'
import type { Balances } from './balances'

const BalanceQuery = z.object({
  currency: z._default(z.string().check(z.regex(/^[a-zA-Z]{3}$/)), 'usd'),
  chainId: z.optional(z.string()),
  forceUpdate: z.optional(z.string()),
})

const HistoryQuery = z.object({ cursor: z.optional(z.string()), chainId: z.optional(z.string()) })

/** In calls to a chain. */
const cost = 5

export type AccountRoutesOptions = CallerLimit & {
  readonly balances: Balances
  readonly history: History
}

const balance = operation({
  method: 'get',
  path: '/v1/account/:address/balance',
  summary: 'What an account has, and what it is worth where that is known',
  caller: 'project',
  query: BalanceQuery,
  response: answers.balance,
})
const accountHistory = operation({
  method: 'get',
  path: '/v1/account/:address/history',
  summary: 'What an account did, the newest first',
  caller: 'project',
  query: HistoryQuery,
  response: answers.history,
})
export const accountOperations = [balance, accountHistory]

/** Interop §3. */
export function accountRoutes(options: AccountRoutesOptions): Hono<CallerEnv> {
  const { balances, history } = options
  const take = takeFromCaller(options)

  const app = new Hono<CallerEnv>()
  serveOperation(app, balance, async (context) => {
    const account = readAccount(context.req.param('address'))
    const { chainId, currency, forceUpdate } = parseOrThrow(BalanceQuery, context.req.query())
    take(context, cost)
    const question = { chainId, currency: currency.toLowerCase(), fresh: forceUpdate === 'true' }
    const answer = { balances: await orBadGateway(balances(account, question)) }
    return context.json(answer satisfies BalanceResponse)
  })
  serveOperation(app, accountHistory, async (context) => {
    const account = readAccount(context.req.param('address'))
    const query = parseOrThrow(HistoryQuery, context.req.query())
    take(context, cost)
    const { id } = context.get('project')
    return context.json(await orBadGateway(history(account, query, (key) => pictureUrl(id, key))))
  })
  return app
}
