import { gasPriceOracle } from '@postern/chains/eip155/rollup-fee'
import { type CaipNetworkId, nativeTokenAddress, type SwapApproval, type SwapTransaction } from '@postern/protocol'
import * as AbiFunction from 'ox/AbiFunction'
import * as z from 'zod/mini'
import type { BlockchainApi, MoneyHost } from '../../../snapshot/money'
import type { SwapOrder } from '../plan'
import { minimumReceived, type Quote } from '../quote'
import type { SwapToken } from '../tokens'

export const networkId: CaipNetworkId = 'eip155:1'
export const owner = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
export const account = `${networkId}:${owner}`
export const router = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d'

export function token(symbol: string, address: string, decimals = 18): SwapToken {
  return {
    id: `${networkId}:${address}`,
    address,
    isNative: address === nativeTokenAddress,
    name: `${symbol} Coin`,
    symbol,
    decimals,
    logoUri: '',
  }
}

export const ether = token('ETH', nativeTokenAddress)
export const dollar = token('USDC', `0x${'a1'.repeat(20)}`, 6)
export const gem = token('GEM', `0x${'b2'.repeat(20)}`)
export const wrapped = token('WETH', `0x${'c3'.repeat(20)}`)

export function quote(toAmount: bigint, changes: Partial<Quote> = {}): Quote {
  return {
    toAmount,
    provider: 'Uniswap V2',
    fee: '0.3',
    priceImpact: '0.08',
    receivedAt: 0,
    endsAt: Number.MAX_SAFE_INTEGER,
    ...changes,
  }
}

export function orderOf(from: SwapToken, to: SwapToken, amount: bigint, quote: Quote): SwapOrder {
  return { networkId, account, address: owner, isEmbedded: false, prices: null, from, to, amount, quote: quote }
}

const exactTokens = AbiFunction.from(
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
)
const exactEther = AbiFunction.from(
  'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)',
)
const forEther = AbiFunction.from(
  'function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
)
const approve = AbiFunction.from('function approve(address spender, uint256 amount)')

export type Bytes = `0x${string}`
export const bytes = (text: string): Bytes => `0x${text.replace(/^0x/, '')}`

type Built = {
  readonly min: bigint
  readonly amount: bigint
  readonly from: SwapToken
  readonly to: SwapToken
  readonly recipient: string
}

/** Call data for a Uniswap v2 router. */
export function swapData({ min, amount, from, to, recipient }: Built): string {
  const at = ({ isNative, address }: SwapToken) => bytes(isNative ? wrapped.address : address)
  const path = [at(from), at(to)]
  const rest = [path, bytes(recipient), 2_000_000_000n] as const
  if (from.isNative) return AbiFunction.encodeData(exactEther, [min, ...rest])
  return AbiFunction.encodeData(to.isNative ? forEther : exactTokens, [amount, min, ...rest])
}

const gas = { gas: '150000', gasPrice: '1000000000' }

export function builtSwap(order: SwapOrder, changes: Partial<Built> = {}): SwapTransaction {
  const { from, to, amount } = order
  const min = minimumReceived(order.quote.toAmount)
  const data = swapData({ from, to, amount, min, recipient: order.address, ...changes })
  const value = from.isNative ? `${amount}` : '0'
  return { tx: { from: order.account, to: `${networkId}:${router}`, data, amount: value, eip155: gas } }
}

export function builtApproval(order: SwapOrder, spender = router, amount = order.amount): SwapApproval {
  const data = AbiFunction.encodeData(approve, [bytes(spender), amount])
  return { tx: { from: order.account, to: order.from.id, data, value: '0', eip155: gas } }
}

export type Service = {
  readonly tokens?: readonly SwapToken[]
  /** In smallest units; null without a route. */
  readonly gives?: (amount: bigint, from: SwapToken, to: SwapToken) => bigint | null
  readonly allowance?: bigint
  readonly priceImpact?: string | null
  /** In US dollars. */
  readonly prices?: Readonly<Record<string, number>>
  /** Epoch ms. */
  readonly now?: () => number
}

export function honestService(service: Service = {}): Partial<BlockchainApi> {
  const {
    tokens = [ether, dollar, gem],
    gives = (amount) => amount,
    allowance = 0n,
    prices = {},
    now = () => 0,
  } = service
  const { priceImpact = '0.08' } = service
  const find = (id: string) => tokens.find((token) => token.id === id) ?? ether
  const orderFor = (query: { from: string; to: string; amount: string; userAddress: string }, toAmount: bigint) => {
    const order = orderOf(find(query.from), find(query.to), BigInt(query.amount), quote(toAmount))
    const address = query.userAddress.slice(query.userAddress.lastIndexOf(':') + 1)
    return { ...order, account: query.userAddress, address }
  }
  return {
    swapTokens: async () => ({
      tokens: tokens.map(({ id, name, symbol, decimals, logoUri, listing }) => ({
        address: id,
        name,
        symbol,
        decimals,
        logoUri,
        listing,
      })),
    }),
    async swapQuotes({ amount, from, to }) {
      const quote = gives(BigInt(amount), find(from), find(to))
      if (quote === null) return { quotes: [] }
      const impact = priceImpact === null ? {} : { priceImpact }
      const more = { provider: 'Uniswap V2', fee: '0.3', ...impact, expiresAt: now() + 30_000 }
      return {
        quotes: [{ id: null, fromAmount: amount, fromAccount: from, toAmount: `${quote}`, toAccount: to, ...more }],
      }
    },
    swapAllowance: async () => ({ allowance: `${allowance}` }),
    gasPrices: async () => ({ standard: '1000000000', fast: '1000000000', instant: '1000000000' }),
    buildSwap: async (query) => builtSwap(orderFor(query, BigInt(query.toAmount))),
    buildApprove: async (query) => builtApproval(orderFor(query, 0n)),
    prices: async (ids) => ({
      fungibles: ids.flatMap((id) => {
        const { name, symbol } = find(id)
        const price = prices[symbol]
        return price === undefined ? [] : [{ address: id, name, symbol, iconUrl: '', price }]
      }),
    }),
  }
}

/** Tokens by address. `rollup`: the data fee, and the same operator fee. */
export function chainWith(
  native: bigint,
  tokens: Readonly<Record<string, bigint>> = {},
  known: readonly SwapToken[] = [dollar, gem, wrapped],
  rollup = 0n,
): MoneyHost['client'] {
  const fail = () => Promise.reject(new Error('Unexpected request'))
  const Call = z.tuple([z.object({ to: z.string(), data: z.string() })], z.unknown())
  const answered = (to: string, data: string) =>
    data === '0x313ce567' ? BigInt(known.find(({ address }) => address === to)?.decimals ?? 18) : (tokens[to] ?? 0n)
  return (id) => ({
    networkId: id,
    rpc: {
      async request({ method, params }) {
        if (method === 'eth_getBalance') return `0x${native.toString(16)}`
        if (method === 'eth_getCode') return rollup === 0n ? '0x' : '0x6080'
        const called = Call.safeParse(params)
        if (!called.success) throw new Error('Unexpected request')
        const [{ to, data }] = called.data
        if (to === gasPriceOracle) return `0x${rollup.toString(16).padStart(64, '0')}`
        return `0x${answered(to, data).toString(16).padStart(64, '0')}`
      },
    },
    esplora: { get: fail, post: fail },
  })
}
