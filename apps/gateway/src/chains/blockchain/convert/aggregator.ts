/**
 * Swaps through an aggregator's HTTP API, version 6 as documented by 1inch. Source:
 * https://portal.1inch.dev/documentation/apis/swap/classic-swap
 *
 * 1. A wrong shape or status, or no response within 10 s, is a failure.
 * 2. Insufficient liquidity means no route. The service's own text is never passed on.
 * 3. A swap must go from the user's account to the contract that may spend their tokens, with the sold amount as value
 *    if that is the native currency, else none.
 * 4. If a swap's minimum is below the shown amount less the tolerance, it is requested once more with the remaining
 *    tolerance, then rejected: the price has moved.
 * 5. The key is sent only to the aggregator; redirects are not followed. Lists are cached.
 */
import { type CaipNetworkId, limits, parseCaipNetworkId } from '@postern/protocol'
import { type Address, getAddress, isAddressEqual, isHex } from 'viem'
import * as z from 'zod/mini'
import type { Log } from '../../../platform/log/log'
import { parseJson } from '../../../platform/parse-json'
import { fetchText, reasonOf } from '../../../platform/upstreams/attempt'
import { plainText } from '../plain-text'
import { createTtlCache } from '../ttl-cache'
import { type Aggregator, EvmAddress } from './config'
import {
  type Call,
  type ListedToken,
  minAmount,
  minAmountOf,
  native,
  PriceMovedError,
  type SwapOrder,
  type SwapProvider,
} from './provider'

export class AggregatorError extends Error {
  override readonly name = 'AggregatorError'
}

export type AggregatorOptions = {
  readonly fetch: typeof globalThis.fetch
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

const Digits = z.pipe(
  z.string().check(z.regex(/^\d{1,78}$/)),
  z.transform((text) => BigInt(text)),
)
const Token = z.object({
  address: EvmAddress,
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(255)),
  eip2612: z.optional(z.boolean()),
})
const Tokens = z.object({ tokens: z.record(z.string(), z.catch(z.nullable(Token), null)) })
const Quote = z.object({ dstAmount: Digits, gas: z.optional(z.number()) })
const Swap = z.object({
  dstAmount: Digits,
  tx: z.object({
    from: EvmAddress,
    to: EvmAddress,
    data: z.custom<`0x${string}`>((value) => isHex(value)),
    value: Digits,
  }),
})
const Spender = z.object({ address: EvmAddress })
const Refusal = z.object({ description: z.string() })

const maxResponseBytes = 8_388_608
const maxTokens = 5_000
/** In ms. */
const listsLifetimeMs = 3_600_000
const usualGas = 500_000n
const noRoute = /insufficient liquidity|no route|cannot find|not enough liquidity/i

export function createAggregatorSwaps(
  { url, key, name }: Aggregator,
  { fetch, log, now }: AggregatorOptions,
): (chainId: CaipNetworkId) => SwapProvider {
  const lists = createTtlCache<readonly ListedToken[]>(listsLifetimeMs, 50, now)
  const spenders = createTtlCache<Address>(listsLifetimeMs, 50, now)

  /** Null without a route. @throws {AggregatorError} */
  async function ask<T>(path: string, query: Readonly<Record<string, string>>, schema: z.ZodMiniType<T>) {
    const target = `${url.replace(/\/+$/, '')}/swap/v6.0${path}?${new URLSearchParams(query)}`
    const headers = { Authorization: `Bearer ${key}`, Accept: 'application/json' }
    const failed = (reason: string) => {
      log.warn({ host: new URL(url).host, reason }, 'swap service failed')
      return new AggregatorError(reason)
    }
    const { response, text } = await fetchText(target, { headers }, limits.rpcTimeout, {
      fetch,
      maxResponseBytes,
    }).catch((error: unknown) => {
      throw failed(reasonOf(error))
    })
    const body = parseJson(text)
    if (response.status === 400 && noRoute.test(Refusal.safeParse(body).data?.description ?? '')) return null
    if (!response.ok) throw failed(`status ${response.status}`)
    const parsed = schema.safeParse(body)
    if (!parsed.success) throw failed('not as documented')
    return parsed.data
  }

  return (chainId) => {
    const base = `/${parseCaipNetworkId(chainId).reference}`

    async function spender(): Promise<Address> {
      return spenders.get(chainId, async () => {
        const answer = await ask(`${base}/approve/spender`, {}, Spender)
        if (answer === null) throw new AggregatorError('no spender')
        return answer.address
      })
    }

    async function askSwap({ from, to, amount, user, slippage }: SwapOrder) {
      const percent = `${Number(slippage) / 10_000}`
      const who = { from: user, origin: user }
      const query = { src: from, dst: to, amount: `${amount}`, ...who, slippage: percent, disableEstimate: 'true' }
      return ask(`${base}/swap`, query, Swap)
    }

    return {
      name,
      spender,

      tokens: () =>
        lists.get(chainId, async () => {
          const answer = await ask(`${base}/tokens`, {}, Tokens)
          return Object.values(answer?.tokens ?? {})
            .flatMap((token) => (token === null || isAddressEqual(token.address, native) ? [] : [token]))
            .slice(0, maxTokens)
            .map(({ name, symbol, ...rest }) => ({ ...rest, name: plainText(name, 64), symbol: plainText(symbol, 32) }))
        }),

      async offer({ from, to, amount }) {
        const answer = await ask(`${base}/quote`, { src: from, dst: to, amount: `${amount}` }, Quote)
        return answer === null || answer.dstAmount === 0n ? null : { amount: answer.dstAmount }
      },

      async build(order) {
        let answer = await askSwap(order)
        if (answer === null) return null
        const floor = minAmountOf(order, answer.dstAmount)
        if (minAmount(answer.dstAmount, order.slippage) < floor) {
          const slippage = whatIsLeft(floor, answer.dstAmount)
          answer = await askSwap({ ...order, slippage })
          if (answer === null) return null
          if (minAmount(answer.dstAmount, slippage) < floor) throw new PriceMovedError('The price has moved')
        }
        return checked(answer.tx, order, await spender())
      },
    }
  }
}

/** In millionths, rounded down to 0.01 %, the finest step of services. */
function whatIsLeft(floor: bigint, offered: bigint): bigint {
  return (((offered - floor) * 1_000_000n) / offered / 100n) * 100n
}

function checked({ from, to, data, value }: z.infer<typeof Swap>['tx'], order: SwapOrder, spender: Address): Call {
  const expected = isAddressEqual(order.from, native) ? order.amount : 0n
  if (!isAddressEqual(from, order.user) || !isAddressEqual(to, spender) || value !== expected) {
    throw new AggregatorError('another transaction than was asked for')
  }
  return { to: getAddress(to), data, value, usualGas }
}
