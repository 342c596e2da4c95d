/**
 * Dollar prices from Uniswap V2 pools.
 *
 * 1. A token's price comes from its pool with the dollar, else from its pool with the wrapped currency.
 * 2. A pool with less than 1,000 dollars on the dollar's side is ignored: anyone can create one.
 * 3. Only `usd` is supported.
 */

import { nativeTokenAddress } from '@postern/protocol'
import { type Address, encodeFunctionData, getAddress, isAddress, isAddressEqual, parseAbi, zeroAddress } from 'viem'
import { readNumber, wordSize } from '../accounts/evm-tokens'
import { type Chain, readContracts, readUntrusted } from '../chain'
import { type Asset, assetKey } from './price'

const abi = parseAbi([
  'function getPair(address a, address b) view returns (address)',
  'function balanceOf(address owner) view returns (uint256)',
  'function decimals() view returns (uint8)',
])

export type Pools = {
  readonly factory: Address
  readonly wrapped: Address
  readonly dollar: Address
  readonly isListedOnly?: boolean
}

const minDollars = 1_000n
const scale = 10n ** 18n

type Pool = { readonly token: Address; readonly quote: Address; readonly pair: Address }

/** @param assets of this chain. @throws {UpstreamsFailedError} */
export async function readPoolPrices(
  chain: Chain,
  { factory, wrapped, dollar }: Pools,
  assets: readonly Asset[],
): Promise<Map<string, number>> {
  const tokens = assets.flatMap((asset) => {
    if (!isAddress(asset.address, { strict: false })) return []
    return [{ asset, token: asset.address.toLowerCase() === nativeTokenAddress ? wrapped : getAddress(asset.address) }]
  })
  const wanted = [...new Set([wrapped, ...tokens.map(({ token }) => token)].map((token) => getAddress(token)))]
  const pools = await findPools(chain, factory, wanted, [dollar, wrapped])
  const decimals = await readDecimals(chain, [...wanted, dollar])
  const reserves = await readReserves(chain, pools)

  const priceIn = (token: Address, quote: Address): { price: bigint; depth: bigint } | null => {
    const index = pools.findIndex((pool) => isAddressEqual(pool.token, token) && isAddressEqual(pool.quote, quote))
    const reserve = reserves[index]
    const own = decimals.get(token)
    const others = decimals.get(getAddress(quote))
    if (reserve === undefined || reserve.token === 0n || own === undefined || others === undefined) return null
    const price = (reserve.quote * scale * 10n ** own) / (reserve.token * 10n ** others)
    return { price, depth: (reserve.quote * scale) / 10n ** others }
  }
  const inDollars = (token: Address): bigint | null => {
    if (isAddressEqual(token, dollar)) return scale
    const direct = priceIn(token, dollar)
    if (direct !== null && direct.depth >= minDollars * scale) return direct.price
    if (isAddressEqual(token, wrapped)) return null
    const [byWrapped, ofWrapped] = [priceIn(token, wrapped), inDollars(getAddress(wrapped))]
    if (byWrapped === null || ofWrapped === null) return null
    const depth = (byWrapped.depth * ofWrapped) / scale
    return depth < minDollars * scale ? null : (byWrapped.price * ofWrapped) / scale
  }
  const prices = new Map<string, number>()
  for (const { asset, token } of tokens) {
    const price = inDollars(getAddress(token))
    if (price !== null) prices.set(assetKey(asset), Number(price) / Number(scale))
  }
  return prices
}

async function findPools(
  chain: Chain,
  factory: Address,
  tokens: readonly Address[],
  quotes: readonly Address[],
): Promise<Pool[]> {
  const wanted = tokens.flatMap((token) =>
    quotes.flatMap((quote) => (isAddressEqual(token, quote) ? [] : [{ token, quote }])),
  )
  const answers = await readContracts(
    chain,
    wanted.map(({ token, quote }) => ({
      to: factory,
      data: encodeFunctionData({ abi, functionName: 'getPair', args: [token, quote] }),
    })),
  )
  return wanted.flatMap((pool, index): Pool[] => {
    const answer = answers[index]
    if (answer == null || answer.length !== 66) return []
    const pair = getAddress(`0x${answer.slice(26)}`)
    return pair === zeroAddress ? [] : [{ ...pool, pair }]
  })
}

async function readDecimals(chain: Chain, tokens: readonly Address[]): Promise<Map<Address, bigint>> {
  const data = encodeFunctionData({ abi, functionName: 'decimals' })
  const answers = await readUntrusted(
    chain,
    tokens.map((to) => ({ to, data })),
    wordSize,
  )
  const known = new Map<Address, bigint>()
  for (const [index, token] of tokens.entries()) {
    const decimals = readNumber(answers[index] ?? null)
    if (decimals !== null && decimals <= 255n) known.set(getAddress(token), decimals)
  }
  return known
}

/** Token balances: a pair's own reserves depend on the token order. */
async function readReserves(chain: Chain, pools: readonly Pool[]): Promise<{ token: bigint; quote: bigint }[]> {
  const answers = await readUntrusted(
    chain,
    pools.flatMap(({ token, quote, pair }) => {
      const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [pair] })
      return [
        { to: token, data },
        { to: quote, data },
      ]
    }),
    wordSize,
  )
  return pools.map((_, index) => ({
    token: readNumber(answers[index * 2] ?? null) ?? 0n,
    quote: readNumber(answers[index * 2 + 1] ?? null) ?? 0n,
  }))
}
