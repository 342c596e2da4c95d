/**
 * Swaps (interop §3): on each network the configured router, or else the aggregator.
 *
 * 1. A network without swaps has no tokens and no quotes; building a transaction there is refused.
 * 2. A quote is valid for 30 s. Without a route there is none.
 * 3. An approval is for exactly the requested amount and the swap's contract.
 * 4. A router without configured tokens offers the network's listed tokens.
 * 5. Each token has its listing (`listing.ts`). A router's tokens count as listed, an aggregator's do not.
 */
import {
  type CaipNetworkId,
  errors,
  type SwapAllowance,
  type SwapApproval,
  type SwapQuote,
  type SwapToken,
  type SwapTransaction,
} from '@postern/protocol'
import { type Address, encodeFunctionData, getAddress, isAddressEqual, maxUint256, parseAbi } from 'viem'
import { problem } from '../../../platform/http/problem'
import type { Log } from '../../../platform/log/log'
import type { Upstreams } from '../../../platform/upstreams/rpc'
import type { KnownNetwork } from '../account'
import { readNumber } from '../accounts/evm-tokens'
import { iconOf } from '../accounts/holding'
import type { ListingOf } from '../accounts/listing'
import { type Chain, readContracts } from '../chain'
import type { TokenList } from '../tokens'
import { createAggregatorSwaps } from './aggregator'
import type { SwapsConfig } from './config'
import { estimateGas, type GasPriceSource } from './gas'
import { type Call, type ListedToken, native, type SwapOrder, type SwapProvider, type SwapQuestion } from './provider'
import { createRouterSwaps } from './uniswap'

export type SwapsOptions = {
  readonly config: SwapsConfig
  readonly networks: ReadonlyMap<CaipNetworkId, KnownNetwork>
  readonly upstreams: Upstreams
  readonly tokens: TokenList
  readonly listingOf: ListingOf
  readonly gasPrices: GasPriceSource
  readonly hasTokenImage: (symbol: string) => boolean
  readonly fetch: typeof globalThis.fetch
  readonly log: Pick<Log, 'warn'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

type Asking = { readonly chainId: CaipNetworkId; readonly user: Address }

export type Swaps = {
  tokens(chainId: CaipNetworkId): Promise<SwapToken[]>
  quotes(chainId: CaipNetworkId, question: SwapQuestion): Promise<SwapQuote[]>
  allowance(asking: Asking & { readonly token: Address }): Promise<SwapAllowance>
  build(chainId: CaipNetworkId, order: SwapOrder): Promise<SwapTransaction>
  /** `maxAmount` is read only for a spender. */
  approve(
    asking: Asking & { readonly token: Address; readonly maxAmount: () => Promise<bigint> },
  ): Promise<SwapApproval>
}

const abi = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
])
/** In ms. */
const quoteLifetimeMs = 30_000
const usualApproval = 70_000n

export function createSwaps(options: SwapsOptions): Swaps {
  const { config, networks, upstreams, tokens: listed, listingOf, gasPrices, hasTokenImage, now } = options
  const aggregated = config.aggregator === null ? null : createAggregatorSwaps(config.aggregator, options)
  const providers = new Map<CaipNetworkId, { readonly chain: Chain; readonly provider: SwapProvider }>()
  for (const { id, namespace, urls } of networks.values()) {
    const chain = { upstreams, urls }
    const router = config.routers.get(id)
    if (namespace !== 'eip155') continue
    if (router !== undefined) {
      const tokens = router.tokens ?? tokensOf(id)
      providers.set(id, { chain, provider: createRouterSwaps(chain, { ...router, tokens }, now) })
    } else if (aggregated !== null && config.aggregator?.networks.includes(id) === true) {
      providers.set(id, { chain, provider: aggregated(id) })
    }
  }

  function tokensOf(id: CaipNetworkId): readonly ListedToken[] {
    return listed.of(id).map((token) => ({ ...token, address: getAddress(token.address) }))
  }

  function required(chainId: CaipNetworkId) {
    const network = providers.get(chainId)
    if (network === undefined) throw problem(400, 'chainId', errors.SWAP_NETWORK_NOT_SUPPORTED.message)
    return network
  }

  async function withGas(id: CaipNetworkId, chain: Chain, from: Address, call: Call) {
    const [gas, prices] = await Promise.all([estimateGas(chain, from, call), gasPrices(id, chain)])
    return { gas: `${gas}`, gasPrice: prices.standard }
  }

  async function allowed(chain: Chain, token: Address, user: Address, spender: Address): Promise<bigint> {
    const data = encodeFunctionData({ abi, functionName: 'allowance', args: [user, spender] })
    const [answer] = await readContracts(chain, [{ to: token, data }])
    const amount = readNumber(answer ?? null)
    if (amount === null) throw problem(400, 'tokenAddress', 'This is no token')
    return amount
  }

  return {
    async tokens(chainId) {
      const network = providers.get(chainId)
      const currency = networks.get(chainId)?.definition.nativeCurrency
      if (network === undefined || currency === undefined) return []
      const offered = await network.provider.tokens()
      const isListed = (token: Address) => isAddressEqual(token, native) || listed.find(chainId, token) !== undefined
      return [{ address: native, ...currency }, ...offered].map(({ address, name, symbol, decimals, ...rest }) => {
        // By address: any token can copy a symbol.
        const icon = isListed(address) ? iconOf(symbol, hasTokenImage) : ''
        const eip2612 = 'eip2612' in rest && rest.eip2612 !== undefined ? { eip2612: rest.eip2612 } : {}
        const listing = listingOf({ name, symbol, isListed: config.routers.has(chainId) || isListed(address) })
        return { name, symbol, decimals, address: `${chainId}:${address}`, logoUri: icon || null, ...eip2612, listing }
      })
    },

    async quotes(chainId, question) {
      const network = providers.get(chainId)
      if (network === undefined || question.amount === 0n || isAddressEqual(question.from, question.to)) return []
      const offer = await network.provider.offer(question)
      if (offer === null) return []
      const { amount, ...more } = offer
      return [
        {
          id: null,
          fromAmount: `${question.amount}`,
          fromAccount: `${chainId}:${question.from}`,
          toAmount: `${amount}`,
          toAccount: `${chainId}:${question.to}`,
          provider: network.provider.name,
          ...more,
          expiresAt: now() + quoteLifetimeMs,
        },
      ]
    },

    async allowance({ chainId, user, token }) {
      const { chain, provider } = required(chainId)
      if (isAddressEqual(token, native)) return { allowance: `${maxUint256}` }
      return { allowance: `${await allowed(chain, token, user, await provider.spender())}` }
    },

    async build(chainId, order) {
      const { chain, provider } = required(chainId)
      if (order.amount === 0n) throw problem(400, 'amount', 'There is nothing to swap')
      const call = isAddressEqual(order.from, order.to) ? null : await provider.build(order)
      if (call === null) throw problem(404, 'to', 'There is no route between these tokens')
      const { to, data, value } = call
      const eip155 = await withGas(chainId, chain, order.user, call)
      return { tx: { from: `${chainId}:${order.user}`, to: `${chainId}:${to}`, data, amount: `${value}`, eip155 } }
    },

    async approve({ chainId, user, token, maxAmount }) {
      const { chain, provider } = required(chainId)
      if (isAddressEqual(token, native)) throw problem(400, 'from', 'The network’s own currency needs no approval')
      const spender = await provider.spender()
      await allowed(chain, token, user, spender)
      const data = encodeFunctionData({ abi, functionName: 'approve', args: [spender, await maxAmount()] })
      const eip155 = await withGas(chainId, chain, user, { to: token, data, value: 0n, usualGas: usualApproval })
      return { tx: { from: `${chainId}:${user}`, to: `${chainId}:${token}`, data, value: '0', eip155 } }
    },
  }
}
