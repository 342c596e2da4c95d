/** The on-ramp's API, in Coinbase's shapes. */
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import { type Answer, type HttpCall, json } from '../http/serve'
import { isCurrency } from '../market/prices'
import { mayCall } from './access'
import type { Faults } from './faults'
import { centsFrom, isPaymentMethod, type Offer, optionsView, quoteOf, quoteView } from './offers'
import { type Orders, purchaseView } from './orders'

export const apiBase = '/onramp/v1'

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
/** @returns a function that answers calls below {@link apiBase} */
export function createApi({
  offers,
  orders,
  faults,
}: {
  readonly offers: readonly Offer[]
  readonly orders: Orders
  readonly faults: Faults
}): (call: HttpCall) => Promise<Answer> {
  return async function answerApi({ method, url, headers, body, gone }: HttpCall): Promise<Answer> {
    const fault = faults.current()
    if (fault.kind === 'down') return failure(503, 14, 'The service is currently unavailable.')
    if (fault.kind === 'slow') await delay(fault.ms, undefined, { signal: gone }).catch(() => {})
    if (!(await mayCall(headers.authorization, { method, host: url.host, path: url.pathname })))
      return failure(401, 16, 'Unauthorized')
    const path = url.pathname.slice(apiBase.length)
    const [, user] = /^\/buy\/user\/([^/]{1,64})\/transactions$/.exec(path) ?? []
    if (method === 'GET' && user !== undefined) {
      const purchases = orders.purchasesOf(decodeURIComponent(user)).slice(0, 50)
      return json({ transactions: purchases.map(purchaseView), next_page_key: '', total_count: `${purchases.length}` })
    }
    if (method === 'GET' && path === '/buy/options') {
      const networks = url.searchParams.get('networks')?.split(',') ?? []
      return json(optionsView(offers.filter(({ network }) => networks.length === 0 || networks.includes(network))))
    }
    if (method === 'POST' && path === '/buy/quote') return quote(body)
    if (method === 'POST' && path === '/token') {
      const wanted = parseOrNull(TokenRequest, body)
      if (wanted === null) return failure(400, 3, 'addresses and clientIp are required')
      return json({ token: orders.openSession(wanted.addresses, wanted.assets), channel_id: '' })
    }
    return failure(404, 5, 'Not Found')
  }

  function quote(body: string): Answer {
    const wanted = parseOrNull(QuoteRequest, body)
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
    const offered = quoteOf(offer, currency, method, total)
    if (offered === null) return failure(400, 3, 'The amount is outside of the limits.')
    return json({ ...quoteView(offer, offered), quote_id: crypto.randomUUID() })
  }
}

/** Codes: https://grpc.io/docs/guides/status-codes/ */
const failure = (status: number, code: number, message: string): Answer => json({ code, message, details: [] }, status)

function parseOrNull<T>(schema: z.ZodType<T>, body: string): T | null {
  try {
    return schema.parse(JSON.parse(body))
  } catch {
    return null
  }
}
