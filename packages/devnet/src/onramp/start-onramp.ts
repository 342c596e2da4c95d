import { setTimeout as delay } from 'node:timers/promises'
import { parseUnits } from 'viem'
import * as z from 'zod'
import { styleSheet } from '../http/page'
import { type Answer, type Asked, json, Refusal, type RunningServer, redirect, serve } from '../http/serve'
import { isCurrency } from '../market/prices'
import type { DevnetPorts } from '../networks'
import { mayCall } from './access'
import { createDelivery, type Deliver } from './deliver'
import {
  centsFrom,
  isPaymentMethod,
  money,
  type Offer,
  offersOf,
  optionsView,
  quoteOf,
  quoteView,
  totalFor,
} from './offers'
import { createOrders, type Order, purchaseView, type Session } from './orders'
import { buyPage, type Preset, told } from './view'

export type OnRamp = RunningServer & { readonly url: string }

/**
 * `down`: 503. `slow`: responds after `ms`. `slow-delivery`: delivers after `ms`, or with the next fault or `none`,
 * after the user has returned. `failing`: takes the payment, delivers nothing. Stays until `none`.
 */
const Fault = z.object({
  kind: z.enum(['none', 'down', 'slow', 'slow-delivery', 'failing']),
  ms: z.int().min(0).max(60_000).default(5_000),
})
type Fault = z.infer<typeof Fault>

const TokenRequest = z.object({
  addresses: z
    .array(z.object({ address: z.string().min(1).max(128), blockchains: z.array(z.string()).min(1).max(20) }))
    .min(1)
    .max(20),
  assets: z.array(z.string()).max(50).default([]),
  clientIp: z.string(),
})
const QuoteRequest = z.object({
  purchase_currency: z.string(),
  purchase_network: z.string().optional(),
  payment_amount: z.string(),
  payment_currency: z.string(),
  payment_method: z.string(),
  country: z.string().regex(/^[A-Z]{2}$/),
  subdivision: z.string().optional(),
})
const Answered = z.object({
  order: z.string(),
  choice: z.coerce.number().int().min(0).default(0),
  amount: z.string().default(''),
  currency: z.string().default(''),
  answer: z.enum(['pay', 'decline']),
})

const api = '/onramp/v1'

/**
 * A mock of Coinbase Onramp for play money.
 *
 * 1. `/onramp/v1` serves `GET buy/options`, `POST buy/quote`, `POST token` and `GET buy/user/{ref}/transactions` in
 *    Coinbase's formats, to callers whose bearer token was signed for exactly this call.
 * 2. A session token opens the page `/buy` (or `/buy/select-asset`) once, within five minutes.
 * 3. A user who pays receives the purchase on its chain and returns to `redirectUrl`. A user who declines returns too,
 *    and the transaction has failed.
 * 4. Redirects go to loopback only.
 * 5. `POST /devnet/fault` sets a fault.
 */
export async function startOnRamp({
  port,
  ports,
  signal,
  now = Date.now,
  deliver = createDelivery(ports),
}: {
  readonly port: number
  /** Ports of the chains that it delivers on. */
  readonly ports: DevnetPorts
  readonly signal?: AbortSignal | undefined
  readonly now?: () => number
  readonly deliver?: Deliver
}): Promise<OnRamp> {
  const offers = offersOf(ports)
  const orders = createOrders(now)
  const ended = new AbortController()
  let fault: Fault = { kind: 'none', ms: 0 }
  let lasting = new AbortController()

  async function answerApi({ method, url, headers, body, gone }: Asked): Promise<Answer> {
    if (fault.kind === 'down') return failure(503, 14, 'The service is currently unavailable.')
    if (fault.kind === 'slow') await delay(fault.ms, undefined, { signal: gone }).catch(() => {})
    if (!(await mayCall(headers.authorization, { method, host: url.host, path: url.pathname })))
      return failure(401, 16, 'Unauthorized')
    const path = url.pathname.slice(api.length)
    const [, user] = /^\/buy\/user\/([^/]{1,64})\/transactions$/.exec(path) ?? []
    if (method === 'GET' && user !== undefined) {
      const found = orders.purchasesOf(decodeURIComponent(user)).slice(0, 50)
      return json({ transactions: found.map(purchaseView), next_page_key: '', total_count: `${found.length}` })
    }
    if (method === 'GET' && path === '/buy/options') {
      const networks = url.searchParams.get('networks')?.split(',') ?? []
      return json(optionsView(offers.filter(({ network }) => networks.length === 0 || networks.includes(network))))
    }
    if (method === 'POST' && path === '/buy/quote') return quote(body)
    if (method === 'POST' && path === '/token') {
      const wanted = parsed(TokenRequest, body)
      if (wanted === null) return failure(400, 3, 'addresses and clientIp are required')
      return json({ token: orders.openSession(wanted.addresses, wanted.assets), channel_id: '' })
    }
    return failure(404, 5, 'Not Found')
  }

  function quote(body: string): Answer {
    const wanted = parsed(QuoteRequest, body)
    if (wanted === null) return failure(400, 3, 'The quote request is not complete.')
    const {
      purchase_currency: asset,
      purchase_network: network,
      payment_currency: currency,
      payment_method: method,
    } = wanted
    const offer = offers.find((each) => each.asset === asset && (network === undefined || each.network === network))
    const total = centsFrom(wanted.payment_amount)
    if (offer === undefined || !isCurrency(currency) || !isPaymentMethod(method) || total === null)
      return failure(400, 3, 'This asset, network, currency or payment method is not available.')
    const found = quoteOf(offer, currency, method, total)
    if (found === null) return failure(400, 3, 'The amount is outside of the limits.')
    return json({ ...quoteView(offer, found), quote_id: crypto.randomUUID() })
  }

  const offersFor = ({ addresses, assets }: Session) =>
    offers.filter(
      ({ asset, network }) =>
        addresses.some(({ blockchains }) => blockchains.includes(network)) &&
        (assets.length === 0 || assets.includes(asset)),
    )

  function open(query: URLSearchParams): Answer {
    const redirectUrl = loopbackUrl(query.get('redirectUrl'))
    if (query.has('redirectUrl') && redirectUrl === null) return told(400, 'This redirect address is not allowed.')
    const order = orders.begin(query.get('sessionToken') ?? '', {
      redirectUrl,
      partnerUser: (query.get('partnerUserRef') ?? query.get('partnerUserId') ?? '').slice(0, 64),
    })
    if (order === null) return told(400, 'This link was used already, or is too old. Begin anew in the app.')
    const available = offersFor(order.session)
    if (available.length === 0) return told(400, 'Nothing can be bought for these addresses.')
    return buyPage(order, available, presetOf(query, available), null)
  }

  async function decide(body: string): Promise<Answer> {
    const said = Answered.safeParse(Object.fromEntries(new URLSearchParams(body)))
    const order = said.success ? orders.order(said.data.order) : null
    if (!said.success || order === null) return told(400, 'This purchase is over. Begin anew in the app.')
    const { choice, amount, currency: currencyText, answer } = said.data
    const available = offersFor(order.session)
    const offer = available[choice]
    const currency = isCurrency(currencyText) ? currencyText : 'USD'
    const total = centsFrom(amount)
    const found = offer === undefined || total === null ? null : quoteOf(offer, currency, 'CARD', total)
    const to = order.session.addresses.find(({ blockchains }) => blockchains.includes(offer?.network ?? ''))?.address
    if (offer === undefined || to === undefined || found === null) {
      if (answer === 'decline') return home(order, 'Declined.')
      return buyPage(
        order,
        available,
        { choice, amount, currency },
        'From 5 to 500, with two digits after the point at most.',
      )
    }
    if (orders.answer(order.id) === null) return told(400, 'This purchase is over. Begin anew in the app.')
    const purchase = orders.record({ offer, quote: found, to, partnerUser: order.partnerUser })
    const settle = (status: 'SUCCESS' | 'FAILED', hash = '') =>
      Object.assign(purchase, { status, hash, completedAt: now() })
    const { kind, ms } = fault
    const waits = AbortSignal.any([ended.signal, lasting.signal])
    const arrives = async () => {
      if (kind === 'slow-delivery') await delay(ms, undefined, { signal: waits }).catch(() => {})
      ended.signal.throwIfAborted()
      settle('SUCCESS', await deliver(offer, to, found.purchased))
    }
    if (answer === 'decline' || kind === 'failing') settle('FAILED')
    else if (kind === 'slow-delivery') void arrives().catch(() => settle('FAILED'))
    else await arrives().catch(() => settle('FAILED'))
    return home(order, answer === 'decline' ? 'Declined.' : 'Paid. You can close this window.')
  }

  const server = await serve({
    port,
    signal,
    answer(asked) {
      const { method, url, body } = asked
      if (url.pathname.startsWith(`${api}/`)) return answerApi(asked)
      switch (`${method} ${url.pathname}`) {
        case 'GET /buy':
        case 'GET /buy/select-asset':
          return open(url.searchParams)
        case 'POST /buy':
          return decide(body)
        case 'POST /devnet/fault': {
          const wanted = parsed(Fault, body)
          if (wanted === null) throw new Refusal(400, 'The body is not what is expected here.')
          lasting.abort()
          lasting = new AbortController()
          fault = wanted
          return json(fault)
        }
        case 'GET /':
          return told(200, 'Begin a purchase in an app to get here.')
        case 'GET /style.css':
          return styleSheet
        default:
          throw new Refusal(404, 'Not found.')
      }
    },
  })
  return {
    port: server.port,
    url: `http://onramp.localhost:${server.port}/`,
    stop() {
      ended.abort()
      return server.stop()
    },
  }
}

const home = ({ redirectUrl }: Order, message: string): Answer =>
  redirectUrl === null ? told(200, message) : redirect(redirectUrl)

function presetOf(query: URLSearchParams, offers: readonly Offer[]): Preset {
  const asset = query.get('defaultAsset')
  const network = query.get('defaultNetwork')
  const fits = (offer: Offer) =>
    Number(asset === null || offer.asset === asset) * 2 + Number(network === null || offer.network === network)
  const choice = offers.reduce((best, offer, index) => (fits(offer) > fits(offers[best] ?? offer) ? index : best), 0)
  const wanted = query.get('fiatCurrency') ?? ''
  const currency = isCurrency(wanted) ? wanted : 'USD'
  const offer = offers[choice]
  const crypto = query.get('presetCryptoAmount') ?? ''
  const fiat = query.get('presetFiatAmount') ?? ''
  if (offer !== undefined && /^\d{1,12}(\.\d{1,18})?$/.test(crypto))
    return { choice, currency, amount: money(totalFor(offer, currency, parseUnits(crypto, offer.decimals))) }
  return { choice, currency, amount: centsFrom(fiat) === null ? '20' : fiat }
}

/** Null if not on this machine. */
function loopbackUrl(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null
  const { protocol, hostname, href } = new URL(text)
  const isLocal = /^(127\.0\.0\.1|([a-z0-9-]+\.)*localhost)$/.test(hostname)
  return isLocal && (protocol === 'http:' || protocol === 'https:') ? href : null
}

/** Codes: https://grpc.io/docs/guides/status-codes/ */
const failure = (status: number, code: number, message: string): Answer => json({ code, message, details: [] }, status)

function parsed<T>(schema: z.ZodType<T>, body: string): T | null {
  try {
    return schema.parse(JSON.parse(body))
  } catch {
    return null
  }
}
