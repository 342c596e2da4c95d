/** What can be swapped on a network, as its service lists it. Names and symbols are strangers' words. */

import { parseUnits } from '@postern/chains/format'
import {
  type SwapToken as Listed,
  type Network,
  nativeTokenAddress,
  type SwapArguments,
  type TokenBalance,
} from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'

export type SwapToken = {
  /** CAIP-10, its address in lower case: what names it everywhere here. */
  readonly id: string
  /** 0x…, in lower case; {@link nativeTokenAddress} for the network's own currency. */
  readonly address: string
  readonly isNative: boolean
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly logoUri: string
}

/** More than a token's one byte of decimals would mean, and what no amount could be written in. */
const mostDecimals = 77
const longestSymbol = 12

/**
 * 1. A token of another network, or without an address, is none; neither is one without decimals (spec §5) or with more than an amount can have.
 * 2. Each address counts once, as it is first named.
 * 3. Names are one harmless line; a token without a symbol is called by its name.
 * 4. The network's own currency is as the network has it, whatever the list says of it.
 */
export function swapTokens(
  listed: readonly Listed[],
  { caipNetworkId: networkId, nativeCurrency }: Pick<Network, 'caipNetworkId' | 'nativeCurrency'>,
): readonly SwapToken[] {
  const tokens = new Map<string, SwapToken>()
  for (const { address, logoUri, ...said } of listed) {
    // 4.
    const isNative = address.toLowerCase() === `${networkId}:${nativeTokenAddress}`
    const { name, symbol, decimals } = isNative ? nativeCurrency : said
    const [, plain = ''] = new RegExp(`^${networkId}:(0x[0-9a-fA-F]{40})$`).exec(address) ?? []
    if (plain === '' || decimals === 0 || decimals > mostDecimals) continue
    const lower = plain.toLowerCase()
    const id = `${networkId}:${lower}`
    if (tokens.has(id)) continue
    const called = plainText(name) || plainText(symbol)
    tokens.set(id, {
      id,
      address: lower,
      isNative,
      name: called,
      symbol: plainText(symbol, longestSymbol) || plainText(name, longestSymbol),
      decimals,
      logoUri: logoUri ?? '',
    })
  }
  return [...tokens.values()]
}

/**
 * The token that a dapp names: by its address, or by its symbol where exactly one has it. A symbol that several have names none of them: whoever lists a second
 * "USDC" must not be paid by it. The network's own currency is before all others of its symbol.
 */
export function tokenNamed(named: string, tokens: readonly SwapToken[]): SwapToken | null {
  const wanted = named.trim().toLowerCase()
  const byAddress = tokens.find(({ id, address }) => address === wanted || id === wanted)
  if (byAddress !== undefined) return byAddress
  const bySymbol = tokens.filter(({ symbol }) => symbol.toLowerCase() === wanted)
  const native = bySymbol.find(({ isNative }) => isNative)
  return native ?? (bySymbol.length === 1 ? (bySymbol[0] ?? null) : null)
}

/** What is in the form. Tokens by their id; the amount as it was typed. */
export type SwapForm = {
  readonly from: string | null
  readonly to: string | null
  readonly text: string
}
export type Side = 'from' | 'to'

/**
 * The form as it begins: with what the dapp named and there is; else the network's own currency is paid.
 * `unknown` is what the dapp named and nobody offers here.
 */
export function beginningForm(
  { amount, fromToken, toToken }: SwapArguments,
  tokens: readonly SwapToken[],
  point: string,
): { readonly form: SwapForm; readonly unknown: readonly string[] } {
  const given = (named: string | undefined) => (named === undefined ? null : tokenNamed(named, tokens))
  const [from, to] = [given(fromToken), given(toToken)]
  const unknown = [
    fromToken !== undefined && from === null && fromToken,
    toToken !== undefined && to === null && toToken,
  ]
  const native = tokens.find(({ isNative }) => isNative) ?? null
  // With the other side named by the dapp as the currency itself, nothing is paid yet.
  const paid = from ?? (fromToken === undefined && native?.id !== to?.id ? native : null)
  return {
    form: {
      from: paid?.id ?? null,
      to: to === null || to.id === paid?.id ? null : to.id,
      text: (amount ?? '').replace('.', point),
    },
    unknown: unknown.flatMap((named) => (named === false ? [] : [plainText(named, longestSymbol)])),
  }
}

/** The token chosen for one side. The other side's token changes sides with it: nothing is swapped for itself. */
export function chosen(form: SwapForm, side: Side, id: string): SwapForm {
  const other = side === 'from' ? 'to' : 'from'
  const next = { ...form, [side]: id }
  return form[other] === id ? { ...next, [other]: form[side] } : next
}

/** The other way round. The amount stays as it is typed: it is then of the other token. */
export function flipped({ from, to, text }: SwapForm): SwapForm {
  return { from: to, to: from, text }
}

/** What a search finds: by symbol, name, or the whole address. */
export function searched(tokens: readonly SwapToken[], typed: string): readonly SwapToken[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return tokens
  const found = tokens.filter(
    ({ name, symbol, address }) =>
      name.toLowerCase().includes(wanted) || symbol.toLowerCase().includes(wanted) || address === wanted,
  )
  const isExact = ({ symbol }: SwapToken) => symbol.toLowerCase() === wanted
  return [...found.filter(isExact), ...found.filter((token) => !isExact(token))]
}

/** Of the token that a balance is of. */
function idOf({ chainId, address = `${chainId}:${nativeTokenAddress}` }: TokenBalance): string {
  return address.toLowerCase()
}

/** What one has of a token, in smallest units, as the portfolio says. Null where it has none, or more digits than the token. */
export function balanceIn(balances: readonly TokenBalance[], { id, decimals }: SwapToken): bigint | null {
  const found = balances.find((balance) => idOf(balance) === id)
  const units = found === undefined ? null : parseUnits(found.quantity.numeric, decimals)
  return units === 0n ? null : units
}

/** What one has comes first, as the portfolio orders it; the rest as it is listed. */
export function ownFirst(tokens: readonly SwapToken[], balances: readonly TokenBalance[]): readonly SwapToken[] {
  const places = new Map([...balances.entries()].reverse().map(([at, balance]) => [idOf(balance), { at, balance }]))
  const rank = (token: SwapToken) => {
    const place = places.get(token.id)
    return place === undefined || balanceIn([place.balance], token) === null ? balances.length : place.at
  }
  return tokens
    .map((token) => ({ token, at: rank(token) }))
    .sort((one, other) => one.at - other.at)
    .map(({ token }) => token)
}
