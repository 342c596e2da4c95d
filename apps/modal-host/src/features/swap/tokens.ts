import { parseUnits } from '@postern/chains/format'
import {
  isMisleading,
  type SwapToken as Listed,
  type Network,
  nativeTokenAddress,
  type SwapArguments,
  type TokenBalance,
  type WithListing,
} from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'

export type SwapToken = WithListing & {
  /** CAIP-10 with a lower-case address. */
  readonly id: string
  /** Lower case; {@link nativeTokenAddress} for the native currency. */
  readonly address: string
  readonly isNative: boolean
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly logoUri: string
}

/** With more, no amount could be represented. */
const maxDecimals = 77
const maxSymbolLength = 12

/**
 * Parses the service's list of tokens.
 *
 * 1. A token of another network, without an address, without decimals (spec §5) or with too many is dropped.
 * 2. Each address appears once, in its first version.
 * 3. Names are one safe line; a token without a symbol uses its name.
 * 4. The native currency is as the network defines it.
 */
export function swapTokens(
  listed: readonly Listed[],
  { caipNetworkId: networkId, nativeCurrency }: Pick<Network, 'caipNetworkId' | 'nativeCurrency'>,
): readonly SwapToken[] {
  const tokens = new Map<string, SwapToken>()
  for (const { address, logoUri, ...token } of listed) {
    // Rule 4.
    const isNative = address.toLowerCase() === `${networkId}:${nativeTokenAddress}`
    const { name, symbol, decimals } = isNative ? nativeCurrency : token
    const [, plain = ''] = new RegExp(`^${networkId}:(0x[0-9a-fA-F]{40})$`).exec(address) ?? []
    if (plain === '' || decimals === 0 || decimals > maxDecimals) continue
    const lower = plain.toLowerCase()
    const id = `${networkId}:${lower}`
    if (tokens.has(id)) continue
    const called = plainText(name) || plainText(symbol)
    tokens.set(id, {
      id,
      address: lower,
      isNative,
      name: called,
      symbol: plainText(symbol, maxSymbolLength) || plainText(name, maxSymbolLength),
      decimals,
      logoUri: logoUri ?? '',
      ...(!isNative && token.listing !== undefined && { listing: token.listing }),
    })
  }
  return [...tokens.values()]
}

/**
 * Finds a token by address or unique symbol: a second "USDC" could receive the payment. A misleading token is found
 * only by its address. The native currency takes precedence.
 */
export function findToken(query: string, tokens: readonly SwapToken[]): SwapToken | null {
  const term = query.trim().toLowerCase()
  const byAddress = tokens.find(({ id, address }) => address === term || id === term)
  if (byAddress !== undefined) return byAddress
  const bySymbol = tokens.filter((token) => token.symbol.toLowerCase() === term && !isMisleading(token))
  const native = bySymbol.find(({ isNative }) => isNative)
  return native ?? (bySymbol.length === 1 ? (bySymbol[0] ?? null) : null)
}

export type SwapForm = {
  readonly from: string | null
  readonly to: string | null
  readonly text: string
}
export type Side = 'from' | 'to'

/** `unknown`: the dapp's values that are not offered. Default: pays with the native currency. */
export function initialForm(
  { amount, fromToken, toToken }: SwapArguments,
  tokens: readonly SwapToken[],
  point: string,
): { readonly form: SwapForm; readonly unknown: readonly string[] } {
  const find = (query: string | undefined) => (query === undefined ? null : findToken(query, tokens))
  const [from, to] = [find(fromToken), find(toToken)]
  const unknown = [
    fromToken !== undefined && from === null && fromToken,
    toToken !== undefined && to === null && toToken,
  ]
  const native = tokens.find(({ isNative }) => isNative) ?? null
  // If the dapp wants to receive the native currency, nothing is chosen to pay with.
  const paid = from ?? (fromToken === undefined && native?.id !== to?.id ? native : null)
  return {
    form: {
      from: paid?.id ?? null,
      to: to === null || to.id === paid?.id ? null : to.id,
      text: (amount ?? '').replace('.', point),
    },
    unknown: unknown.flatMap((query) => (query === false ? [] : [plainText(query, maxSymbolLength)])),
  }
}

/** The sides swap if the token was on the other one. */
export function withToken(form: SwapForm, side: Side, id: string): SwapForm {
  const other = side === 'from' ? 'to' : 'from'
  const next = { ...form, [side]: id }
  return form[other] === id ? { ...next, [other]: form[side] } : next
}

export function withSidesFlipped({ from, to, text }: SwapForm): SwapForm {
  return { from: to, to: from, text }
}

export function searchTokens(tokens: readonly SwapToken[], typed: string): readonly SwapToken[] {
  const term = typed.trim().toLowerCase()
  if (term === '') return tokens
  const found = tokens.filter(
    ({ name, symbol, address }) =>
      name.toLowerCase().includes(term) || symbol.toLowerCase().includes(term) || address === term,
  )
  const isExact = ({ symbol }: SwapToken) => symbol.toLowerCase() === term
  return [...found.filter(isExact), ...found.filter((token) => !isExact(token))]
}

function idOf({ chainId, address = `${chainId}:${nativeTokenAddress}` }: TokenBalance): string {
  return address.toLowerCase()
}

/** In smallest units; null without a balance, or with too many decimals. */
export function balanceOfToken(balances: readonly TokenBalance[], { id, decimals }: SwapToken): bigint | null {
  const found = balances.find((balance) => idOf(balance) === id)
  const units = found === undefined ? null : parseUnits(found.quantity.numeric, decimals)
  return units === 0n ? null : units
}

/** The portfolio's tokens first, in its order. */
export function ownFirst(tokens: readonly SwapToken[], balances: readonly TokenBalance[]): readonly SwapToken[] {
  const places = new Map([...balances.entries()].reverse().map(([at, balance]) => [idOf(balance), { at, balance }]))
  const rank = (token: SwapToken) => {
    const place = places.get(token.id)
    return place === undefined || balanceOfToken([place.balance], token) === null ? balances.length : place.at
  }
  return tokens
    .map((token) => ({ token, at: rank(token) }))
    .sort((one, other) => one.at - other.at)
    .map(({ token }) => token)
}
