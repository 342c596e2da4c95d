/**
 * Swaps through the pools of Uniswap V2 or a fork. Source: https://docs.uniswap.org/contracts/v2
 *
 * 1. A route is direct or through the wrapped currency, whichever has the higher output.
 * 2. Without a pool, or a pool's output, there is no route.
 * 3. The price impact is the loss against the pools' price before the swap, without fees: 1 − output ÷ (amount × price
 *    of the reserves × 0.997 per hop).
 * 4. The wrapping contract converts between native and wrapped currency, one to one.
 * 5. A swap enforces its minimum output and a deadline.
 */
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  formatUnits,
  getAddress,
  type Hex,
  isAddressEqual,
  parseAbi,
  zeroAddress,
} from 'viem'
import { type Chain, readContracts } from '../chain'
import type { SwapRouter } from './config'
import {
  type Call,
  type ListedToken,
  minAmountOf,
  native,
  type Offer,
  type SwapOrder,
  type SwapProvider,
  type SwapQuestion,
} from './provider'

const abi = parseAbi([
  'function getPair(address a, address b) view returns (address)',
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)',
  'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable returns (uint256[] amounts)',
  'function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)',
  'function deposit() payable',
  'function withdraw(uint256 amount)',
])

/** In seconds. */
const lifetime = 1_200
/** One pool takes 100,000 to 150,000; complex tokens more. */
const usualGas = { swap: 220_000n, hop: 120_000n, wrap: 60_000n }
const afterFee = { numerator: 997n, denominator: 1_000n }

type Route = { readonly path: readonly Address[]; readonly offer: Offer }
type Reserves = { readonly own: bigint; readonly other: bigint }

/** @param now epoch ms. */
export function createRouterSwaps(
  chain: Chain,
  config: Omit<SwapRouter, 'tokens'> & { readonly tokens: readonly ListedToken[] },
  now: () => number,
): SwapProvider {
  const { router, factory, wrapped, tokens } = config
  const onChain = (token: Address) => (isAddressEqual(token, native) ? wrapped : token)
  const isWrapping = ({ from, to }: SwapQuestion) => isAddressEqual(onChain(from), onChain(to))

  async function best(question: SwapQuestion): Promise<Route | null> {
    const { amount } = question
    const [from, to] = [onChain(question.from), onChain(question.to)]
    const ends = [from, to].some((token) => isAddressEqual(token, wrapped))
    const straight = [from, to]
    const paths = ends ? [straight] : [straight, [from, wrapped, to]]
    const reserves = await readReserves(paths.flatMap(hopsOf))
    const open = paths.filter((path) => hopsOf(path).every((hop) => reserves.has(keyOf(hop))))
    const answers = await readContracts(
      chain,
      open.map((path) => ({
        to: router,
        data: encodeFunctionData({ abi, functionName: 'getAmountsOut', args: [amount, path] }),
      })),
    )
    const routes = open.flatMap((path, index): Route[] => {
      const output = lastAmount(answers[index] ?? null)
      if (output === null || output === 0n) return []
      const hops = hopsOf(path).flatMap((hop) => reserves.get(keyOf(hop)) ?? [])
      return [{ path, offer: { amount: output, fee: feeOf(hops.length), priceImpact: impactOf(amount, output, hops) } }]
    })
    return routes.sort((a, b) => compare(b.offer.amount, a.offer.amount))[0] ?? null
  }

  async function readReserves(hops: readonly Hop[]): Promise<ReadonlyMap<string, Reserves>> {
    const pairs = await readContracts(
      chain,
      hops.map((args) => ({ to: factory, data: encodeFunctionData({ abi, functionName: 'getPair', args }) })),
    )
    const pools = hops.flatMap((hop, index) => {
      const pair = addressIn(pairs[index] ?? null)
      return pair === null ? [] : [{ hop, pair }]
    })
    const data = encodeFunctionData({ abi, functionName: 'getReserves' })
    const answers = await readContracts(
      chain,
      pools.map(({ pair }) => ({ to: pair, data })),
    )
    return new Map(
      pools.flatMap(({ hop }, index) => {
        const reserves = reservesIn(hop, answers[index] ?? null)
        return reserves === null ? [] : [[keyOf(hop), reserves] as const]
      }),
    )
  }

  return {
    name: config.name,
    tokens: async () => tokens,
    spender: async () => router,

    async offer(question) {
      if (isWrapping(question)) {
        const isSame = isAddressEqual(question.from, question.to)
        return isSame ? null : { amount: question.amount, fee: '0', priceImpact: '0' }
      }
      return (await best(question))?.offer ?? null
    },

    async build(order) {
      const { from, amount, to } = order
      if (isWrapping(order)) return isAddressEqual(from, to) ? null : wrap(order)
      const route = await best(order)
      if (route === null) return null
      const atLeast = minAmountOf(order, route.offer.amount)
      const deadline = BigInt(Math.floor(now() / 1_000) + lifetime)
      const rest = [atLeast, route.path, order.user, deadline] as const
      const data = isAddressEqual(from, native)
        ? encodeFunctionData({ abi, functionName: 'swapExactETHForTokens', args: rest })
        : isAddressEqual(to, native)
          ? encodeFunctionData({ abi, functionName: 'swapExactTokensForETH', args: [amount, ...rest] })
          : encodeFunctionData({ abi, functionName: 'swapExactTokensForTokens', args: [amount, ...rest] })
      const value = isAddressEqual(from, native) ? amount : 0n
      return { to: router, data, value, usualGas: usualGas.swap + usualGas.hop * BigInt(route.path.length - 2) }
    },
  }

  function wrap({ from, amount }: SwapOrder): Call {
    return isAddressEqual(from, native)
      ? {
          to: wrapped,
          data: encodeFunctionData({ abi, functionName: 'deposit' }),
          value: amount,
          usualGas: usualGas.wrap,
        }
      : {
          to: wrapped,
          data: encodeFunctionData({ abi, functionName: 'withdraw', args: [amount] }),
          value: 0n,
          usualGas: usualGas.wrap,
        }
  }
}

type Hop = readonly [Address, Address]

function hopsOf(path: readonly Address[]): Hop[] {
  return path.slice(1).flatMap((to, index) => {
    const from = path[index]
    return from === undefined ? [] : [[from, to] as const]
  })
}

function keyOf([from, to]: Hop): string {
  return `${from} ${to}`
}

function addressIn(answer: Hex | null): Address | null {
  if (answer === null || answer.length !== 66) return null
  const address = getAddress(`0x${answer.slice(26)}`)
  return address === zeroAddress ? null : address
}

/** A pair orders its tokens by address. */
function reservesIn([from, to]: Hop, answer: Hex | null): Reserves | null {
  if (answer === null) return null
  try {
    const [first, second] = decodeFunctionResult({ abi, functionName: 'getReserves', data: answer })
    const [own, other] = BigInt(from) < BigInt(to) ? [first, second] : [second, first]
    return own === 0n || other === 0n ? null : { own, other }
  } catch {
    return null
  }
}

function lastAmount(answer: Hex | null): bigint | null {
  if (answer === null) return null
  try {
    return decodeFunctionResult({ abi, functionName: 'getAmountsOut', data: answer }).at(-1) ?? null
  } catch {
    return null
  }
}

/** In per cent: 0.3 for one pool, 0.5991 for two. */
function feeOf(hops: number): string {
  const remaining = afterFee.numerator ** BigInt(hops)
  const all = afterFee.denominator ** BigInt(hops)
  return formatUnits((all - remaining) * 100n, 3 * hops)
}

/** In per cent, four decimals, rounded up. */
export function impactOf(amount: bigint, output: bigint, hops: readonly Reserves[]): string {
  let [ideal, divisor] = [amount, 1n]
  for (const { own, other } of hops) {
    ideal *= other * afterFee.numerator
    divisor *= own * afterFee.denominator
  }
  const lost = ideal - output * divisor
  if (ideal === 0n || lost <= 0n) return '0'
  return formatUnits((lost * 1_000_000n + ideal - 1n) / ideal, 4)
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
