/**
 * The on-ramp (interop §3), and our own `GET /v1/onramp/purchases/:partnerUserId`.
 *
 * 1. Without an on-ramp, options and purchases are empty, other calls 404.
 * 2. The provider gets a hash of project and id: no project can read another's purchases.
 * 3. The session is bound to the user's IP address; only trusted proxies can report it.
 * 4. The link returns to a page of the project, or to our own.
 */

import { createHash } from 'node:crypto'
import {
  blockchainAnswers as answers,
  type OnRampOptions,
  type OnRampPurchases,
  OnRampQuoteQuery,
  type OnRampUrl,
  OnRampUrlQuery,
} from '@postern/protocol'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { limitBody } from '../../../platform/http/body-limit'
import { operation, serveOperation } from '../../../platform/http/operation'
import { parseOrThrow, problem } from '../../../platform/http/problem'
import type { CallerEnv } from '../../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../../projects/caller-limit'
import { createTtlCache } from '../ttl-cache'
import { type OnRamp, OnRampFailedError, OnRampRefusedError, type Region } from './coinbase'
import { Country, type OnRampConfig, Subdivision } from './config'
import { donePagePath } from './done-page'
import { returnAddress } from './return-address'

const OnRampQuery = z.object({ country: z.optional(Country), subdivision: z.optional(Subdivision) })

export type OnRampRoutesOptions = CallerLimit & {
  readonly onramp: { readonly config: OnRampConfig; readonly seller: OnRamp } | null
  readonly modalOrigin: string
  /** In full; `clientAddress` may be only its network. */
  readonly clientIp: (context: Context) => string
  /** Epoch milliseconds. */
  readonly now: () => number
}

const cost = { read: 2, quote: 10, session: 50 } as const
const optionsLifetime = 300_000
const maxRegions = 300
const maxBodyBytes = 32_768
const partnerUser = /^[A-Za-z0-9_-]{16,64}$/

const onRampOptions = operation({
  method: 'get',
  path: '/v1/onramp/options',
  summary: 'What can be bought, for which money',
  caller: 'project',
  query: OnRampQuery,
  response: answers.onRampOptions,
})
const onRampQuote = operation({
  method: 'post',
  path: '/v1/onramp/quote',
  summary: 'What an amount of money buys',
  caller: 'project',
  query: OnRampQuery,
  body: OnRampQuoteQuery,
  response: answers.onRampQuote,
})
const onRampUrl = operation({
  method: 'post',
  path: '/v1/generators/onrampurl',
  summary: "A link to the seller's page, good once",
  caller: 'project',
  body: OnRampUrlQuery,
  response: answers.onRampUrl,
})
const onRampPurchases = operation({
  method: 'get',
  path: '/v1/onramp/purchases/:partnerUserId',
  summary: 'The state of a purchase',
  caller: 'project',
  response: answers.onRampPurchases,
})
export const onRampOperations = [onRampOptions, onRampQuote, onRampUrl, onRampPurchases]

export function onRampRoutes(options: OnRampRoutesOptions): Hono<CallerEnv> {
  const { onramp, clientIp, modalOrigin, now } = options
  const cache = createTtlCache<OnRampOptions>(optionsLifetime, maxRegions, now)
  const limited = limitBody(maxBodyBytes)
  const take = takeFromCaller(options)
  const regionIn = (context: Context<CallerEnv>, config: OnRampConfig): Region => {
    const { country, subdivision } = parseOrThrow(OnRampQuery, context.req.query())
    // A subdivision belongs to its country.
    return country === undefined ? config : { country, subdivision: subdivision ?? null }
  }

  const app = new Hono<CallerEnv>()
  serveOperation(app, onRampOptions, async (context) => {
    take(context, cost.read)
    if (onramp === null) return context.json({ paymentCurrencies: [], purchaseCurrencies: [] } satisfies OnRampOptions)
    const region = regionIn(context, onramp.config)
    const key = `${region.country} ${region.subdivision ?? ''}`
    return context.json(await orProblem(cache.get(key, () => onramp.seller.options(region))))
  })
  serveOperation(app, onRampQuote, limited, async (context) => {
    const query = parseOrThrow(OnRampQuoteQuery, await context.req.json().catch(() => undefined))
    take(context, cost.quote)
    if (onramp === null) throw noSeller()
    return context.json(await orProblem(onramp.seller.quote({ ...query, region: regionIn(context, onramp.config) })))
  })
  serveOperation(app, onRampUrl, limited, async (context) => {
    const query = parseOrThrow(OnRampUrlQuery, await context.req.json().catch(() => undefined))
    take(context, cost.session)
    if (onramp === null) throw noSeller()
    const project = context.get('project')
    const wayBack = query.redirectUrl ?? `${modalOrigin}${donePagePath}`
    const back = returnAddress(wayBack, project, modalOrigin)
    if (back === null) throw problem(400, 'redirectUrl', 'The way back must lead to an origin that the project allows')
    const wallets = query.destinationWallets
    const sessionToken = await orProblem(
      onramp.seller.session({
        addresses: wallets.map(({ address, blockchains }) => ({ address, blockchains })),
        assets: [...new Set(wallets.flatMap(({ assets }) => assets))],
        clientIp: clientIp(context),
      }),
    )
    const url = new URL(onramp.config.page)
    const parameters = {
      sessionToken,
      partnerUserRef: partnerUserOf(project.id, query.partnerUserId),
      defaultExperience: query.defaultExperience,
      defaultNetwork: query.defaultNetwork,
      defaultAsset: query.defaultAsset,
      presetCryptoAmount: query.presetCryptoAmount,
      presetFiatAmount: query.presetFiatAmount,
      fiatCurrency: query.fiatCurrency?.toUpperCase(),
      redirectUrl: back,
    }
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    return context.json({ url: url.href } satisfies OnRampUrl)
  })
  serveOperation(app, onRampPurchases, async (context) => {
    const id = context.req.param('partnerUserId')
    if (!partnerUser.test(id)) throw problem(400, 'partnerUserId', 'This is no id of a purchase')
    take(context, cost.read)
    const user = partnerUserOf(context.get('project').id, id)
    const purchases = onramp === null ? [] : await orProblem(onramp.seller.purchases(user))
    return context.json({ purchases } satisfies OnRampPurchases)
  })
  return app
}

/** 43 characters; the provider's limit is below 50. */
export function partnerUserOf(projectId: string, id: string): string {
  return createHash('sha256').update(`${projectId} ${id}`).digest('base64url')
}

/** @throws {Problem} */
async function orProblem<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof OnRampRefusedError) {
      throw problem(400, 'onramp', 'The seller does not sell this: another amount, currency or network may do')
    }
    if (error instanceof OnRampFailedError) throw problem(502, 'onramp', 'The seller could not be reached')
    throw error
  }
}

function noSeller() {
  return problem(404, 'onramp', 'Nothing is sold here')
}
