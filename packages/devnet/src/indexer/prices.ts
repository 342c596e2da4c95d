/**
 * In CoinGecko's format. Sources: https://docs.coingecko.com/reference/simple-price,
 * https://docs.coingecko.com/reference/simple-token-price
 */

import { type Currency, centsIn, isCurrency, type Priced } from '../market/prices'
import { solanaMint } from '../solana/token-ids'

const coinIds: Readonly<Record<string, Priced>> = { ethereum: 'ETH', solana: 'SOL', bitcoin: 'BTC' }
export const solanaPlatform = 'postern-solana'
const tokens: Readonly<Record<string, Priced>> = { [`${solanaPlatform}:${solanaMint}`]: 'SDUSD' }

/** Omits unknown coins and currencies. */
export function simplePrice(query: URLSearchParams): Record<string, Record<string, number>> {
  return answer(list(query, 'ids'), query, (id) => (Object.hasOwn(coinIds, id) ? coinIds[id] : undefined))
}

export function tokenPrice(platform: string, query: URLSearchParams): Record<string, Record<string, number>> {
  const priced = (address: string) => {
    const key = `${platform}:${address}`
    return Object.hasOwn(tokens, key) ? tokens[key] : undefined
  }
  return answer(list(query, 'contract_addresses'), query, priced)
}

function answer(names: readonly string[], query: URLSearchParams, find: (name: string) => Priced | undefined) {
  const currencies = list(query, 'vs_currencies')
    .map((text) => text.toUpperCase())
    .filter(isCurrency)
  return Object.fromEntries(
    names.flatMap((name) => {
      const asset = find(name)
      return asset === undefined ? [] : [[name, Object.fromEntries(currencies.map((each) => priceIn(each, asset)))]]
    }),
  )
}

const priceIn = (currency: Currency, asset: Priced): [string, number] => [
  currency.toLowerCase(),
  Number(centsIn(currency, asset)) / 100,
]

const list = (query: URLSearchParams, name: string) => (query.get(name) ?? '').split(',').filter((text) => text !== '')
