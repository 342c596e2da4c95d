/**
 * Proxies the Blockchain API of a hosted service.
 *
 * 1. Only the calls of interop §3 are sent; a caller's text in a path is one segment.
 * 2. Query and parsed body get the gateway's project id at the service. No header of the caller is passed on.
 * 3. Every response is parsed, without other fields and remote pictures. Unlisted tokens whose name is a lure are
 *    marked `phishing`.
 * 4. Services approve unlimited amounts, so an approval is rebuilt for the requested amount, or the balance by our own
 *    upstreams, and the service's spender.
 * 5. No service reports the status of a purchase: 404.
 * 6. A refusal of the service (400, 404, 409, 429) is passed on as plain text. Other failures are 502.
 */
import {
  blockchainAnswers as answers,
  BuildSwap,
  ErrorBody,
  isCaipNetworkId,
  limits,
  OnRampQuoteQuery,
  OnRampUrlQuery,
  PriceQuery,
  RegisterName,
  RevokeSession,
  type SwapApproval,
} from '@postern/protocol'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { limitBody } from '../../../platform/http/body-limit'
import { parseOrThrow, problem } from '../../../platform/http/problem'
import type { Log } from '../../../platform/log/log'
import { parseJson } from '../../../platform/parse-json'
import { fetchText, reasonOf } from '../../../platform/upstreams/attempt'
import type { CallerEnv } from '../../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../../projects/caller-limit'
import { ApproveQuery, readToken, readUser } from '../convert/routes'
import type { ReadTokenBalance } from '../convert/token-balance'
import { isLure, type Named } from '../phishing'
import { plainText } from '../plain-text'
import type { TokenList } from '../tokens'
import type { HostedConfig } from './config'
import { withoutPictures } from './pictures'

export type HostedRoutesOptions = CallerLimit & {
  readonly hosted: HostedConfig
  readonly fetch: typeof globalThis.fetch
  readonly readBalance: ReadTokenBalance
  readonly tokens: TokenList
  readonly log: Pick<Log, 'warn'>
}

/** Of interop §3. */
const reads = {
  '/v1/identity/:address': answers.identity,
  '/v1/account/:address/history': answers.history,
  '/v1/convert/quotes': answers.swapQuotes,
  '/v1/convert/allowance': answers.swapAllowance,
  '/v1/convert/gas-price': answers.gasPrices,
  '/v1/profile/account/:name': answers.nameProfile,
  '/v1/profile/reverse/:address': answers.nameProfiles,
  '/v1/profile/suggestions/:name': answers.nameSuggestions,
  '/v1/onramp/options': answers.onRampOptions,
  '/v1/sessions/:address': answers.smartSessions,
} as const
const writes = {
  '/v1/convert/build-transaction': { body: z.omit(BuildSwap, { toAmount: true }), answer: answers.buildSwap },
  '/v1/fungible/price': { body: PriceQuery, answer: answers.prices },
  '/v1/profile/account': { body: RegisterName, answer: answers.registerName },
  // Only our gateway can check the return URL.
  '/v1/generators/onrampurl': {
    body: z.omit(OnRampUrlQuery, { redirectUrl: true, defaultAsset: true, fiatCurrency: true }),
    answer: answers.onRampUrl,
  },
  '/v1/onramp/quote': { body: OnRampQuoteQuery, answer: answers.onRampQuote },
  '/v1/sessions/:address/revoke': { body: RevokeSession, answer: z.object({}) },
} as const

const cost = 5
const maxBodyBytes = 131_072
const maxResponseBytes = 8_388_608
const forwardedStatuses = [400, 404, 409, 429] as const

export function hostedRoutes(options: HostedRoutesOptions): Hono<CallerEnv> {
  const { hosted, fetch, log } = options
  const app = new Hono<CallerEnv>()
  const limit = limitBody(maxBodyBytes)
  const take = takeFromCaller(options)
  const projectOf = (context: Context<CallerEnv>) => hosted.projectId ?? context.get('project').id

  function urlOf(context: Context<CallerEnv>, route: string): string {
    const path = route.replace(/:(\w+)/g, (_, name: string) => segment(context.req.param(name) ?? ''))
    const query = new URLSearchParams(new URL(context.req.url).search)
    query.set('projectId', projectOf(context))
    return `${hosted.url}${path}?${query}`
  }

  const failed = (reason: string) => {
    log.warn({ host: new URL(hosted.url).host, reason }, 'hosted service failed')
    return problem(502, 'service', 'The service gave no answer that makes sense')
  }

  async function ask<T>(url: string, init: RequestInit, schema: z.ZodMiniType<T>): Promise<T> {
    const headers = { Accept: 'application/json', ...init.headers }
    const { response, text } = await fetchText(url, { ...init, headers }, limits.rpcTimeout, {
      fetch,
      maxResponseBytes,
    }).catch((error: unknown) => {
      throw failed(reasonOf(error))
    })
    const body = parseJson(text)
    if (!response.ok) {
      const status = forwardedStatuses.find((each) => each === response.status)
      if (status === undefined) throw failed(`status ${response.status}`)
      const reason = ErrorBody.safeParse(body).data?.reasons[0]
      const description = plainText(reason?.description ?? '', 200) || 'The service refused'
      const wait = response.headers.get('Retry-After') ?? ''
      const later = /^\d{1,5}$/.test(wait) ? { 'Retry-After': wait } : {}
      throw problem(status, plainText(reason?.name ?? '', 32) || 'service', description, later)
    }
    const parsed = schema.safeParse(withoutPictures(body))
    if (!parsed.success) throw failed('not as documented')
    return parsed.data
  }

  /** 3. `address`: CAIP-10, absent for the native currency. */
  function marked<T extends Named & { readonly address?: string | undefined }>(token: T): T {
    const [namespace, reference, address = ''] = token.address?.split(':') ?? []
    const chainId = `${namespace}:${reference}`
    const isListed = isCaipNetworkId(chainId) && options.tokens.find(chainId, address) !== undefined
    return token.address === undefined || isListed || !isLure(token) ? token : { ...token, listing: 'phishing' }
  }

  for (const [route, schema] of entriesOf(reads)) {
    app.get(route, async (context) => {
      take(context, cost)
      return jsonOf(context, await ask<unknown>(urlOf(context, route), {}, schema))
    })
  }
  app.get('/v1/account/:address/balance', async (context) => {
    take(context, cost)
    const { balances } = await ask(urlOf(context, '/v1/account/:address/balance'), {}, answers.balance)
    return context.json({ balances: balances.map(marked) })
  })
  app.get('/v1/convert/tokens', async (context) => {
    take(context, cost)
    const { tokens } = await ask(urlOf(context, '/v1/convert/tokens'), {}, answers.swapTokens)
    return context.json({ tokens: tokens.map(marked) })
  })
  app.get('/v1/convert/build-approve', async (context) => {
    const { amount: exactAmount, from, userAddress } = parseOrThrow(ApproveQuery, context.req.query())
    take(context, cost)
    const amount =
      exactAmount === undefined
        ? await options.readBalance({ ...readToken(from, 'from'), user: readUser(userAddress) })
        : BigInt(exactAmount)
    const { tx } = await ask(urlOf(context, '/v1/convert/build-approve'), {}, answers.buildApprove)
    const data = exactApproval(tx.data, amount)
    if (data === null) throw failed('no approval')
    return context.json({ tx: { ...tx, data } } satisfies SwapApproval)
  })
  app.get('/v1/onramp/purchases/:partnerUserId', () => {
    throw problem(404, 'onramp', 'Only the seller knows the state of this purchase')
  })
  for (const [route, { body, answer }] of entriesOf(writes)) {
    app.on('POST', [route], limit, async (context) => {
      const requestBody = parseOrThrow(body, await context.req.json().catch(() => undefined))
      take(context, cost)
      const projectId = projectOf(context)
      const named = 'projectId' in requestBody ? { ...requestBody, projectId } : requestBody
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(named) }
      return jsonOf(context, await ask<unknown>(urlOf(context, route), init, answer))
    })
  }
  return app
}

function exactApproval(data: string, amount: bigint): string | null {
  const approval = /^(0x095ea7b30{24}[0-9a-f]{40})[0-9a-f]{64}$/i.exec(data)?.[1]
  return approval === undefined ? null : `${approval}${amount.toString(16).padStart(64, '0')}`
}

function entriesOf<T extends object>(record: T): [string, T[keyof T]][] {
  return Object.entries(record)
}

function jsonOf(context: Context<CallerEnv>, value: unknown): Response {
  return context.body(JSON.stringify(value), 200, { 'Content-Type': 'application/json' })
}

/** @throws {Problem} 400 for another path. */
function segment(text: string): string {
  if (text === '' || text === '.' || text === '..' || text.length > 255) throw problem(400, 'path', 'This is no name')
  return encodeURIComponent(text)
}
