/** The page where a visitor buys. */
import { setTimeout as delay } from 'node:timers/promises'
import { parseUnits } from 'viem'
import * as z from 'zod'
import { type Answer, redirect } from '../http/serve'
import { isCurrency } from '../market/prices'
import type { Deliver } from './deliver'
import type { Faults } from './faults'
import { centsFrom, money, type Offer, quoteOf, totalFor } from './offers'
import type { Order, Orders, Session } from './orders'
import { buyPage, failureReply, type Preset } from './view'

const Answered = z.object({
  order: z.string(),
  choice: z.coerce.number().int().min(0).default(0),
  amount: z.string().default(''),
  currency: z.string().default(''),
  answer: z.enum(['pay', 'decline']),
})

export type PurchasePage = {
  /** Opens a session's page, once. */
  open(query: URLSearchParams): Answer
  /** Takes the visitor's answer. */
  decide(body: string): Promise<Answer>
}

/** @param ended aborts when the on-ramp stops. */
export function createPurchasePage({
  offers,
  orders,
  faults,
  deliver,
  now,
  ended,
}: {
  readonly offers: readonly Offer[]
  readonly orders: Orders
  readonly faults: Faults
  readonly deliver: Deliver
  readonly now: () => number
  readonly ended: AbortSignal
}): PurchasePage {
  const offersFor = ({ addresses, assets }: Session) =>
    offers.filter(
      ({ asset, network }) =>
        addresses.some(({ blockchains }) => blockchains.includes(network)) &&
        (assets.length === 0 || assets.includes(asset)),
    )

  function open(query: URLSearchParams): Answer {
    const redirectUrl = loopbackUrl(query.get('redirectUrl'))
    if (query.has('redirectUrl') && redirectUrl === null)
      return failureReply(400, 'This redirect address is not allowed.')
    const order = orders.begin(query.get('sessionToken') ?? '', {
      redirectUrl,
      partnerUser: (query.get('partnerUserRef') ?? query.get('partnerUserId') ?? '').slice(0, 64),
    })
    if (order === null) return failureReply(400, 'This link has expired or was already used. Start again in the app.')
    const available = offersFor(order.session)
    if (available.length === 0) return failureReply(400, 'Nothing can be bought for these addresses.')
    return buyPage(order, available, presetOf(query, available), null)
  }

  async function decide(body: string): Promise<Answer> {
    const form = Answered.safeParse(Object.fromEntries(new URLSearchParams(body)))
    const order = form.success ? orders.order(form.data.order) : null
    if (!form.success || order === null) return failureReply(400, 'This purchase has ended. Start again in the app.')
    const { choice, amount, currency: currencyText, answer } = form.data
    const available = offersFor(order.session)
    const offer = available[choice]
    const currency = isCurrency(currencyText) ? currencyText : 'USD'
    const total = centsFrom(amount)
    const offered = offer === undefined || total === null ? null : quoteOf(offer, currency, 'CARD', total)
    const to = order.session.addresses.find(({ blockchains }) => blockchains.includes(offer?.network ?? ''))?.address
    if (offer === undefined || to === undefined || offered === null) {
      if (answer === 'decline') return home(order, 'Declined.')
      return buyPage(
        order,
        available,
        { choice, amount, currency },
        'Enter an amount from 5 to 500, with at most two decimals.',
      )
    }
    if (orders.answer(order.id) === null) return failureReply(400, 'This purchase has ended. Start again in the app.')
    const purchase = orders.record({ offer, quote: offered, to, partnerUser: order.partnerUser })
    const settle = (status: 'SUCCESS' | 'FAILED', hash = '') =>
      Object.assign(purchase, { status, hash, completedAt: now() })
    const { kind, ms } = faults.current()
    const waits = AbortSignal.any([ended, faults.ended()])
    const arrives = async () => {
      if (kind === 'slow-delivery') await delay(ms, undefined, { signal: waits }).catch(() => {})
      ended.throwIfAborted()
      settle('SUCCESS', await deliver(offer, to, offered.purchased))
    }
    if (answer === 'decline' || kind === 'failing') settle('FAILED')
    else if (kind === 'slow-delivery') void arrives().catch(() => settle('FAILED'))
    else await arrives().catch(() => settle('FAILED'))
    return home(order, answer === 'decline' ? 'Declined.' : 'Paid. You can close this window.')
  }

  return { open, decide }
}

const home = ({ redirectUrl }: Order, message: string): Answer =>
  redirectUrl === null ? failureReply(200, message) : redirect(redirectUrl)

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
