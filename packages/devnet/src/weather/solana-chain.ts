import { base58, base64 } from '@scure/base'
import * as z from 'zod'
import { createForecast, type Forecast } from './forecast'
import { createLateBroadcasts } from './late'
import type { Weather } from './levels'

const Call = z.object({ id: z.union([z.number(), z.string(), z.null()]), method: z.string(), params: z.unknown() })
const Sent = z.tuple([z.string(), z.object({ encoding: z.enum(['base58', 'base64']).default('base58') }).optional()])

export type SolanaChain = {
  /** `isUnanswered`: the connection breaks instead of sending the body. */
  answer(body: string): Promise<{ readonly body: string; readonly isUnanswered?: true }>
  /** Some slots pass, and late broadcasts are due. */
  block(): Promise<void>
  readonly broadcasts: Forecast
}

export type SolanaChainOptions = {
  readonly rpcUrl: string
  readonly seed: number
  readonly weather: Weather
  readonly log: (event: string) => void
}

/**
 * A node of Solana, in weather.
 *
 * 1. Each broadcast has a fate (see `BroadcastFate`). A busy leader drops a lost one.
 * 2. A blockhash may expire right after the node returned it.
 * 3. Priority prices move.
 * 4. A signature is unknown the first `receiptDelay` times that a caller asks for its status.
 */
export function createSolanaChain({ rpcUrl, seed, weather, log }: SolanaChainOptions): SolanaChain {
  const broadcasts = createForecast(seed, 'solana broadcast', weather.broadcast)
  const expiries = createForecast(seed, 'solana blockhash', { expired: weather.expiry })
  const prices = createForecast(seed, 'solana price', {})
  const late = createLateBroadcasts()
  const asked = new Map<string, number>()

  async function forward(body: string): Promise<string> {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(rpcUrl, { method: 'POST', headers, body })).text()
  }

  async function send(body: string, id: unknown, params: unknown) {
    const fate = broadcasts.next()
    const [text, options] = Sent.parse(params)
    const bytes = options?.encoding === 'base64' ? base64.decode(text) : base58.decode(text)
    const result = base58.encode(bytes.slice(1, 65))
    if (fate !== null) log(`solana: ${result} ${fate}`)
    const answered = { body: JSON.stringify({ jsonrpc: '2.0', id, result }) }
    switch (fate) {
      case 'refused':
        return { body: JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32005, message: 'Node is behind' } }) }
      case 'lost':
        return answered
      case 'late':
        late.add(body, broadcasts.integer(1, Math.max(1, weather.maxDelay)))
        return answered
      case 'unanswered':
        return { body: await forward(body), isUnanswered: true as const }
      default:
        return { body: await forward(body) }
    }
  }

  async function answer(body: string) {
    const { data } = Call.safeParse(JSON.parse(body))
    if (data === undefined) return { body: await forward(body) }
    const { id, method, params } = data
    if (method === 'sendTransaction') return send(body, id, params)
    if (method === 'getRecentPrioritizationFees' && weather.feesMove) {
      const result = [{ slot: 1, prioritizationFee: prices.integer(0, 200_000) }]
      return { body: JSON.stringify({ jsonrpc: '2.0', id, result }) }
    }
    if (method === 'getSignatureStatuses' && Array.isArray(params)) {
      const key = JSON.stringify(params[0])
      const times = asked.get(key) ?? 0
      asked.set(key, times + 1)
      const value = Array.isArray(params[0]) ? params[0].map(() => null) : []
      if (times < weather.receiptDelay)
        return { body: JSON.stringify({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value } }) }
    }
    const text = await forward(body)
    if (method === 'getLatestBlockhash' && expiries.next() === 'expired') {
      log('solana: a blockhash expires')
      await fetch(new URL('/devnet/advance?slots=151', rpcUrl), { method: 'POST' })
    }
    return { body: text }
  }

  async function block(): Promise<void> {
    for (const body of late.due()) await forward(body)
  }

  return { answer, block, broadcasts }
}
