/** In memory. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Offer, Quote } from './offers'
import { quoteView } from './offers'

export type Session = {
  readonly addresses: readonly { readonly address: string; readonly blockchains: readonly string[] }[]
  /** Empty: every asset. */
  readonly assets: readonly string[]
  readonly expiresAt: number
}

/** A session that the user opened. */
export type Order = {
  readonly id: string
  readonly session: Session
  readonly redirectUrl: string | null
  readonly partnerUser: string
}

export type Purchase = {
  readonly id: string
  readonly offer: Offer
  readonly quote: Quote
  readonly to: string
  readonly partnerUser: string
  readonly createdAt: number
  status: 'IN_PROGRESS' | 'SUCCESS' | 'FAILED'
  hash: string
  completedAt: number | null
}

/** In ms. */
const sessionLifetime = 5 * 60_000
/** Max entries of each kind; the oldest goes first. */
const maxOrders = 1_000

export type Orders = ReturnType<typeof createOrders>

export function createOrders(now: () => number) {
  const sessions = new Map<string, Session>()
  const orders = new Map<string, Order>()
  const purchases: Purchase[] = []
  const put = <T>(map: Map<string, T>, key: string, value: T) => {
    map.set(key, value)
    for (const oldest of map.keys()) {
      if (map.size <= maxOrders) break
      map.delete(oldest)
    }
  }
  return {
    openSession(addresses: Session['addresses'], assets: readonly string[]): string {
      const token = randomBytes(24).toString('base64url')
      put(sessions, token, { addresses, assets, expiresAt: now() + sessionLifetime })
      return token
    },
    /** A token works once. */
    begin(token: string, order: Pick<Order, 'redirectUrl' | 'partnerUser'>): Order | null {
      const session = sessions.get(token)
      sessions.delete(token)
      if (session === undefined || session.expiresAt <= now()) return null
      const started = { id: randomUUID(), session, ...order }
      put(orders, started.id, started)
      return started
    },
    order: (id: string) => orders.get(id) ?? null,
    /** An order is answered once. */
    answer(id: string): Order | null {
      const order = orders.get(id) ?? null
      orders.delete(id)
      return order
    },
    record(purchase: Pick<Purchase, 'offer' | 'quote' | 'to' | 'partnerUser'>): Purchase {
      const stored: Purchase = {
        id: randomUUID(),
        createdAt: now(),
        status: 'IN_PROGRESS',
        hash: '',
        completedAt: null,
        ...purchase,
      }
      purchases.unshift(stored)
      purchases.length = Math.min(purchases.length, maxOrders)
      return stored
    },
    purchasesOf: (partnerUser: string) => purchases.filter((purchase) => purchase.partnerUser === partnerUser),
  }
}

/** Source: https://docs.cdp.coinbase.com/api-reference/rest-api/onramp-offramp/get-onramp-transactions-by-id */
export function purchaseView(purchase: Purchase) {
  const { offer, quote } = purchase
  return {
    transaction_id: purchase.id,
    status: `ONRAMP_TRANSACTION_STATUS_${purchase.status}`,
    purchase_currency: offer.asset,
    purchase_network: offer.network,
    ...quoteView(offer, quote),
    wallet_address: purchase.to,
    contract_address: offer.contract,
    tx_hash: purchase.hash,
    payment_method: 'CARD',
    country: 'US',
    type: 'ONRAMP_TRANSACTION_TYPE_BUY_AND_SEND',
    created_at: new Date(purchase.createdAt).toISOString(),
    completed_at: purchase.completedAt === null ? null : new Date(purchase.completedAt).toISOString(),
    partner_user_ref: purchase.partnerUser,
  }
}
