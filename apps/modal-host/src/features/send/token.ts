import { parseUnits } from '@postern/chains/format'
import {
  isAddressOf,
  type Network,
  nativeTokenAddress,
  shownTokens,
  type TokenBalance,
  type WithListing,
} from '@postern/protocol'
import { factsOf } from '../../snapshot/namespace-facts'

export type SendToken = WithListing & {
  readonly key: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  /** In smallest units. */
  readonly balance: bigint
  /** Null for the native currency. */
  readonly address: string | null
  /** In US dollars; 0 if unknown. */
  readonly price: number
  readonly iconUrl: string
}

/** A contract's decimals are a single byte. */
const maxDecimals = 255

/** Null if the token cannot be sent: another network, an invalid address or amount. */
export function toSendToken(balance: TokenBalance, network: Network): SendToken | null {
  const { name, symbol, chainId, price, quantity, iconUrl, listing } = balance
  if (chainId !== network.caipNetworkId) return null
  const decimals = Number.parseInt(quantity.decimals, 10)
  const units = decimals > maxDecimals ? null : parseUnits(quantity.numeric, decimals)
  if (units === null) return null
  const [, , address = ''] = balance.address?.split(':') ?? []
  const isNative = balance.address === undefined || address.toLowerCase() === nativeTokenAddress
  if (!isNative && !(factsOf(network.chainNamespace).hasTokens && isAddressOf(network.chainNamespace, address)))
    return null
  return {
    key: isNative ? 'native' : address,
    name,
    symbol,
    decimals: isNative ? network.nativeCurrency.decimals : decimals,
    balance: isNative ? rescaled(units, decimals, network.nativeCurrency.decimals) : units,
    address: isNative ? null : address,
    price,
    iconUrl,
    ...(!isNative && listing !== undefined && { listing }),
  }
}

function rescaled(units: bigint, from: number, to: number): bigint {
  return from <= to ? units * 10n ** BigInt(to - from) : units / 10n ** BigInt(from - to)
}

/**
 * The tokens that can be sent, each once, listed ones first. Always includes the native currency, which pays the fee.
 */
export function sendTokens(balances: readonly TokenBalance[], network: Network): readonly SendToken[] {
  const tokens = new Map<string, SendToken>()
  for (const balance of balances) {
    const token = toSendToken(balance, network)
    if (token !== null && !tokens.has(token.key)) tokens.set(token.key, token)
  }
  const inOrder = shownTokens([...tokens.values()], true).tokens
  if (tokens.has('native')) return inOrder
  const { name, symbol, decimals } = network.nativeCurrency
  const native = { key: 'native', name, symbol, decimals, balance: 0n, address: null, price: 0, iconUrl: '' }
  return [native, ...inOrder]
}

export function matchingTokens(tokens: readonly SendToken[], search: string): readonly SendToken[] {
  const term = search.trim().toLowerCase()
  if (term === '') return tokens
  return tokens.filter(
    ({ name, symbol, address }) =>
      name.toLowerCase().includes(term) ||
      symbol.toLowerCase().includes(term) ||
      (address !== null && address.toLowerCase() === term),
  )
}
