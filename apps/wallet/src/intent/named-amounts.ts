/** Names the unit of an amount. Only a list names a token: anyone can make a `USDC`. */
import { isSameAddress } from '@postern/chains/same-address'
import { isPlainSymbol, isSameSymbol } from '@postern/chains/token-symbol'
import { builtInNetworks, type CaipNetworkId } from '@postern/protocol'
import { dollarTokens } from '@postern/protocol/networks/dollar-tokens'
import type { Amount, DescribeContext, IntentStep } from './intent'

const reserved: ReadonlySet<string> = new Set([
  ...Object.values(builtInNetworks).map(({ nativeCurrency }) => nativeCurrency.symbol),
  ...Object.values(dollarTokens).flatMap((tokens) => tokens.map(({ symbol }) => symbol)),
])

/**
 * Names amounts of tokens.
 *
 * 1. By the build's list, then the gateway's. The gateway's list cannot give another token a symbol of the build's list
 *    or the native currency.
 * 2. Any other token by its own symbol, unverified; by none if the symbol cannot stand next to a number, or reads like
 *    that of a listed token or a coin.
 */
export function namedBy(
  { tokens = [], nativeCurrency }: Pick<DescribeContext, 'tokens' | 'nativeCurrency'>,
  networkId: CaipNetworkId,
): (amount: Amount) => Amount {
  const built = dollarTokens[networkId] ?? []
  const isBuilt = (symbol: string) =>
    [nativeCurrency.symbol, ...built.map((one) => one.symbol)].some((one) => isSameSymbol(one, symbol))
  const listed = [...built, ...tokens.filter(({ symbol }) => !isBuilt(symbol))]
  const taken = [...reserved, nativeCurrency.symbol, ...listed.map(({ symbol }) => symbol)]
  return (amount) => {
    const { token, symbol, listed: _, ...rest } = amount
    if (token === undefined) return amount
    const found = listed.find(({ address }) => isSameAddress(address, token))
    const isItem = amount.tokenId !== undefined || amount.anyItem !== undefined
    if (found !== undefined)
      return { ...rest, token, symbol: found.symbol, listed: true, decimals: isItem ? 0 : found.decimals }
    const isRefused = symbol === undefined || !isPlainSymbol(symbol) || taken.some((one) => isSameSymbol(one, symbol))
    return { ...rest, token, ...(!isRefused && { symbol }) }
  }
}

export function amountsOf(step: IntentStep): readonly Amount[] {
  switch (step.kind) {
    case 'transfer':
    case 'approve':
    case 'permit':
      return [step.amount]
    case 'increase':
      return [step.amount, ...(step.total === undefined ? [] : [step.total])]
    case 'permission':
      return step.amount === undefined ? [] : [step.amount]
    case 'order':
      return [...step.gives, ...step.gets.map(({ amount }) => amount)]
    case 'swap':
      return [step.pay, step.receiveAtLeast]
    case 'cancel':
      return step.cancelled.flatMap(amountsOf)
    default:
      return []
  }
}

export function withAmounts<T extends IntentStep>(step: T, change: (amount: Amount) => Amount): T
export function withAmounts(step: IntentStep, change: (amount: Amount) => Amount): IntentStep {
  switch (step.kind) {
    case 'transfer': {
      const { withheld } = step
      return { ...step, amount: change(step.amount), ...(withheld && { withheld: change(withheld) }) }
    }
    case 'approve':
    case 'permit':
      return { ...step, amount: change(step.amount) }
    case 'increase':
      return { ...step, amount: change(step.amount), ...(step.total && { total: change(step.total) }) }
    case 'permission':
      return step.amount === undefined ? step : { ...step, amount: change(step.amount) }
    case 'order': {
      const gets = step.gets.map(({ amount, to }) => ({ amount: change(amount), to }))
      return { ...step, gives: step.gives.map(change), gets }
    }
    case 'swap':
      return { ...step, pay: change(step.pay), receiveAtLeast: change(step.receiveAtLeast) }
    case 'cancel':
      return { ...step, cancelled: step.cancelled.map((one) => withAmounts(one, change)) }
    default:
      return step
  }
}
