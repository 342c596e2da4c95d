import { styleSheet } from '../http/page'
import { json, parseJson, Refusal, type RunningServer, serve } from '../http/serve'
import type { DevnetPorts } from '../networks'
import { apiBase, createApi } from './api'
import { createDelivery, type Deliver } from './deliver'
import { createFaults, Fault } from './faults'
import { offersOf } from './offers'
import { createOrders } from './orders'
import { createPurchasePage } from './purchase-page'
import { failureReply } from './view'

export type OnRamp = RunningServer & { readonly url: string }

/**
 * A mock of Coinbase Onramp for play money.
 *
 * 1. `/onramp/v1` serves `GET buy/options`, `POST buy/quote`, `POST token` and `GET buy/user/{ref}/transactions` in
 *    Coinbase's formats, to callers whose bearer token was signed for exactly this call.
 * 2. A session token opens the page `/buy` (or `/buy/select-asset`) once, within five minutes.
 * 3. A user who pays receives the purchase on its chain and returns to `redirectUrl`. A user who declines returns too,
 *    and the transaction fails.
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
  /** Ports of the chains that receive purchases. */
  readonly ports: DevnetPorts
  readonly signal?: AbortSignal | undefined
  readonly now?: () => number
  readonly deliver?: Deliver
}): Promise<OnRamp> {
  const offers = offersOf(ports)
  const orders = createOrders(now)
  const ended = new AbortController()
  const faults = createFaults()
  const answerApi = createApi({ offers, orders, faults })
  const page = createPurchasePage({ offers, orders, faults, deliver, now, ended: ended.signal })

  const server = await serve({
    port,
    signal,
    answer(call) {
      const { method, url, body } = call
      if (url.pathname.startsWith(`${apiBase}/`)) return answerApi(call)
      switch (`${method} ${url.pathname}`) {
        case 'GET /buy':
        case 'GET /buy/select-asset':
          return page.open(url.searchParams)
        case 'POST /buy':
          return page.decide(body)
        case 'POST /devnet/fault': {
          const fault = parseJson(Fault, body)
          faults.set(fault)
          return json(fault)
        }
        case 'GET /':
          return failureReply(200, 'To see this page, start a purchase in an app.')
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
