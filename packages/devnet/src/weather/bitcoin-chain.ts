import { Transaction } from 'bitcoinjs-lib'
import * as z from 'zod'
import { type Answer, json } from '../http/serve'
import { createForecast, type Forecast } from './forecast'
import { createLateBroadcasts } from './late'
import type { Weather } from './levels'

const Estimates = z.record(z.string(), z.number())

export type BitcoinChain = {
  answer(call: {
    readonly method: string
    readonly path: string
    readonly body: string
  }): Promise<Answer & { readonly isUnanswered?: true }>
  /** Sends due late broadcasts; may replace blocks. */
  block(): Promise<void>
  readonly broadcasts: Forecast
  readonly blocks: Forecast
}

export type BitcoinChainOptions = {
  readonly url: string
  readonly seed: number
  readonly weather: Weather
  readonly log: (event: string) => void
}

/**
 * Esplora, in weather.
 *
 * 1. Each broadcast has a fate (see `BroadcastFate`).
 * 2. Fee estimates move between one and four times the node's.
 * 3. A reorganisation replaces one to three blocks, only if a test decides it: on Bitcoin it is rare. Their
 *    transactions wait again.
 */
export function createBitcoinChain({ url, seed, weather, log }: BitcoinChainOptions): BitcoinChain {
  const broadcasts = createForecast(seed, 'bitcoin broadcast', weather.broadcast)
  const blocks = createForecast(seed, 'bitcoin block', {})
  const fees = createForecast(seed, 'bitcoin fee', {})
  const late = createLateBroadcasts()

  async function forward(method: string, path: string, body: string): Promise<Answer> {
    const response = await fetch(url + path, { method, ...(method === 'POST' && { body }) })
    const type = response.headers.get('content-type') ?? 'text/plain'
    return { status: response.status, headers: { 'content-type': type }, body: await response.text() }
  }

  async function send(path: string, body: string) {
    const fate = broadcasts.next()
    const id = Transaction.fromHex(body.trim()).getId()
    if (fate !== null) log(`bitcoin: ${id} ${fate}`)
    const answered = { headers: { 'content-type': 'text/plain' }, body: id }
    switch (fate) {
      case 'refused':
        return {
          status: 400,
          headers: { 'content-type': 'text/plain' },
          body: 'sendrawtransaction RPC error: mempool full',
        }
      case 'lost':
        return answered
      case 'late':
        late.add(body, broadcasts.integer(1, Math.max(1, weather.maxDelay)))
        return answered
      case 'unanswered':
        return { ...(await forward('POST', path, body)), isUnanswered: true as const }
      default:
        return forward('POST', path, body)
    }
  }

  return {
    broadcasts,
    blocks,
    async answer({ method, path, body }) {
      if (method === 'POST' && path === '/tx') return send(path, body)
      const answer = await forward(method, path, body)
      if (path !== '/fee-estimates' || !weather.feesMove) return answer
      const factor = fees.integer(100, 400) / 100
      const estimates = Estimates.parse(JSON.parse(answer.body ?? ''))
      return json(Object.fromEntries(Object.entries(estimates).map(([blocks, rate]) => [blocks, rate * factor])))
    },
    async block() {
      for (const body of late.due()) await forward('POST', '/tx', body)
      if (blocks.next() !== 'reorganisation') return
      const depth = blocks.integer(1, 3)
      log(`bitcoin: reorganisation of ${depth} blocks`)
      await forward('POST', `/devnet/reorganise?depth=${depth}`, '')
    },
  }
}
