import {
  Amount,
  blockchainAnswers as answers,
  BuildSwap,
  type CaipNetworkId,
  errors,
  isCaipAddress,
  isCaipNetworkId,
  parseCaipAddress,
  parseCaipNetworkId,
} from '@postern/protocol'
import { Hono } from 'hono'
import { type Address, getAddress, isAddress } from 'viem'
import * as z from 'zod/mini'
import { limitBody } from '../../../platform/http/body-limit'
import { operation, serveOperation } from '../../../platform/http/operation'
import { parseOrThrow, problem } from '../../../platform/http/problem'
import type { Upstreams } from '../../../platform/upstreams/rpc'
import type { CallerEnv } from '../../../projects/caller'
import { type CallerLimit, takeFromCaller } from '../../../projects/caller-limit'
import type { KnownNetwork } from '../account'
import { orBadGateway } from '../problems'
import { readAccount } from '../read-account'
import { AggregatorError } from './aggregator'
import type { GasPriceSource } from './gas'
import { PriceMovedError } from './provider'
import type { Swaps } from './swaps'
import type { ReadTokenBalance } from './token-balance'

export type ConvertRoutesOptions = CallerLimit & {
  readonly swaps: Swaps
  readonly networks: ReadonlyMap<CaipNetworkId, KnownNetwork>
  readonly upstreams: Upstreams
  readonly gasPrices: GasPriceSource
  readonly readBalance: ReadTokenBalance
}

const NetworkQuery = z.object({ chainId: z.string() })
const QuoteQuery = z.object({
  amount: Amount,
  /** Routers do not need it. */
  userAddress: z.optional(z.string()),
  from: z.string(),
  to: z.string(),
  gasPrice: z.optional(z.string()),
})
const AllowanceQuery = z.object({ tokenAddress: z.string(), userAddress: z.string() })
export const ApproveQuery = z.object({
  userAddress: z.string(),
  from: z.string(),
  to: z.string(),
  /** Default: the whole balance. */
  amount: z.optional(Amount),
})

const cost = 5
const maxBodyBytes = 16_384

const swapTokens = operation({
  method: 'get',
  path: '/v1/convert/tokens',
  summary: 'What can be swapped on a network',
  caller: 'project',
  query: NetworkQuery,
  response: answers.swapTokens,
})
const swapQuotes = operation({
  method: 'get',
  path: '/v1/convert/quotes',
  summary: 'What a swap would give',
  caller: 'project',
  query: QuoteQuery,
  response: answers.swapQuotes,
})
const swapAllowance = operation({
  method: 'get',
  path: '/v1/convert/allowance',
  summary: "What the swap's contract may take",
  caller: 'project',
  query: AllowanceQuery,
  response: answers.swapAllowance,
})
const gasPrice = operation({
  method: 'get',
  path: '/v1/convert/gas-price',
  summary: 'What gas costs',
  caller: 'project',
  query: NetworkQuery,
  response: answers.gasPrices,
})
const buildSwap = operation({
  method: 'post',
  path: '/v1/convert/build-transaction',
  summary: 'The transaction of a swap, to be signed elsewhere',
  caller: 'project',
  body: BuildSwap,
  response: answers.buildSwap,
})
const buildApprove = operation({
  method: 'get',
  path: '/v1/convert/build-approve',
  summary: "The transaction that lets the swap's contract take an amount",
  caller: 'project',
  query: ApproveQuery,
  response: answers.buildApprove,
})
export const convertOperations = [swapTokens, swapQuotes, swapAllowance, gasPrice, buildSwap, buildApprove]

/** Interop §3. */
export function convertRoutes(options: ConvertRoutesOptions): Hono<CallerEnv> {
  const { swaps, networks, upstreams, gasPrices, readBalance } = options
  const take = takeFromCaller(options)

  const app = new Hono<CallerEnv>()
  serveOperation(app, swapTokens, async (context) => {
    const chainId = readNetwork(parseOrThrow(NetworkQuery, context.req.query()).chainId)
    take(context, cost)
    return context.json({ tokens: await answered(swaps.tokens(chainId)) })
  })
  serveOperation(app, swapQuotes, async (context) => {
    const { amount, from, to } = parseOrThrow(QuoteQuery, context.req.query())
    const [source, target] = [readQuoted(from, 'from'), readQuoted(to, 'to')]
    take(context, cost)
    if (source === null || target === null || source.chainId !== target.chainId) return context.json({ quotes: [] })
    const question = { from: source.token, to: target.token, amount: BigInt(amount) }
    return context.json({ quotes: await answered(swaps.quotes(source.chainId, question)) })
  })
  serveOperation(app, swapAllowance, async (context) => {
    const { tokenAddress, userAddress } = parseOrThrow(AllowanceQuery, context.req.query())
    const [token, user] = [readToken(tokenAddress, 'tokenAddress'), readUser(userAddress)]
    take(context, cost)
    return context.json(await answered(swaps.allowance({ ...token, user })))
  })
  serveOperation(app, gasPrice, async (context) => {
    const chainId = readNetwork(parseOrThrow(NetworkQuery, context.req.query()).chainId)
    const network = networks.get(chainId)
    if (network?.namespace !== 'eip155') {
      throw problem(400, 'chainId', errors.GAS_PRICE_NETWORK_NOT_SUPPORTED.message)
    }
    take(context, cost)
    return context.json(await answered(gasPrices(chainId, { upstreams, urls: network.urls })))
  })
  serveOperation(app, buildSwap, limitBody(maxBodyBytes), async (context) => {
    const body = parseOrThrow(BuildSwap, await context.req.json().catch(() => undefined))
    const [source, target, user] = [readToken(body.from, 'from'), readToken(body.to, 'to'), readUser(body.userAddress)]
    take(context, cost)
    if (source.chainId !== target.chainId) throw problem(404, 'to', 'There is no route between two networks')
    const order = {
      from: source.token,
      to: target.token,
      amount: BigInt(body.amount),
      user,
      // Rounded in the user's favour.
      slippage: BigInt(Math.floor(body.eip155.slippage * 10_000)),
      shown: body.toAmount === undefined ? null : BigInt(body.toAmount),
    }
    return context.json(await answered(swaps.build(source.chainId, order)))
  })
  serveOperation(app, buildApprove, async (context) => {
    const { userAddress, from, amount } = parseOrThrow(ApproveQuery, context.req.query())
    const approval = { ...readToken(from, 'from'), user: readUser(userAddress) }
    take(context, cost)
    const maxAmount = amount === undefined ? () => readBalance(approval) : async () => BigInt(amount)
    return context.json(await answered(swaps.approve({ ...approval, maxAmount })))
  })
  return app
}

async function answered<T>(asking: Promise<T>): Promise<T> {
  try {
    return await orBadGateway(asking)
  } catch (error) {
    if (error instanceof AggregatorError) throw problem(502, 'provider', 'The swap service gave no answer')
    if (error instanceof PriceMovedError) {
      throw problem(409, 'price', 'The price has moved by more than the tolerance: ask for a new quote')
    }
    throw error
  }
}

/** @throws {Problem} 400 */
function readNetwork(text: string): CaipNetworkId {
  if (!isCaipNetworkId(text)) throw problem(400, 'chainId', 'This is no CAIP-2 id')
  return text
}

/** Null for a namespace without swaps: no quote. @throws {Problem} 400 */
function readQuoted(caip10: string, name: string): ReturnType<typeof readToken> | null {
  return isCaipAddress(caip10) && parseCaipAddress(caip10).namespace !== 'eip155' ? null : readToken(caip10, name)
}

/** @param caip10 a token on an EVM network. @throws {Problem} 400 */
export function readToken(caip10: string, name: string): { readonly chainId: CaipNetworkId; readonly token: Address } {
  const end = caip10.lastIndexOf(':')
  const [chainId, address] = [caip10.slice(0, end), caip10.slice(end + 1)]
  if (!isCaipNetworkId(chainId)) throw problem(400, name, errors.INVALID_CAIP_ADDRESS.message)
  if (parseCaipNetworkId(chainId).namespace !== 'eip155') {
    throw problem(400, name, errors.SWAP_NETWORK_NOT_SUPPORTED.message)
  }
  if (!isAddress(address, { strict: false })) throw problem(400, name, errors.INVALID_CAIP_ADDRESS.message)
  return { chainId, token: getAddress(address.toLowerCase()) }
}

/** A plain address or CAIP-10. @throws {Problem} 400 */
export function readUser(text: string): Address {
  const { namespace, address } = readAccount(text)
  if (namespace !== 'eip155') throw problem(400, 'userAddress', errors.SWAP_NETWORK_NOT_SUPPORTED.message)
  return getAddress(address)
}
