/** Warns about the guaranteed amount of a swap or order: others can take the rest. */
import { isSameAddress } from '@postern/chains/same-address'
import type { CaipNetworkId } from '@postern/protocol'
import { dollarTokens } from '@postern/protocol/networks/dollar-tokens'
import { exchangesOf } from '../chains/eip155/intent/verifiers'
import type { Amount, Intent, IntentStep, Warning } from './intent'

function isNextToNothing({ raw, decimals }: Amount): boolean {
  return BigInt(raw) * 1_000_000n <= 10n ** BigInt(decimals ?? 6)
}

/** `gets`: only what comes to the owner. */
type Trade = { readonly kind: 'swap' | 'order'; readonly gives: readonly Amount[]; readonly gets: readonly Amount[] }

/**
 * 1. At most a millionth of the token counts as nothing.
 * 2. So does less than half of what is given in the same currency: the build's dollar tokens are one, as are the native
 *    currency and its wrapped token.
 * 3. So does, for all swaps together, less than half of what a simulation brings in.
 * 4. An order that pays nothing has its own warning.
 */
export function minimumWarnings(
  steps: readonly IntentStep[],
  changes: Intent['changes'],
  { own, networkId }: { readonly own: readonly string[]; readonly networkId: CaipNetworkId },
): readonly Warning[] {
  const currencyOf = currenciesOf(networkId)
  const trades = steps.flatMap((step) => tradeIn(step, own))
  const isLow = ({ gives, gets }: Trade) =>
    gets.length > 0 && (gets.every(isNextToNothing) || isLess(gets, gives, currencyOf))
  return trades.some(isLow) || isBelowExpected(trades, changes, currencyOf) ? [{ kind: 'lowMinimum' }] : []
}

function tradeIn(step: IntentStep, own: readonly string[]): readonly Trade[] {
  switch (step.kind) {
    case 'swap':
      return [{ kind: step.kind, gives: [step.pay], gets: [step.receiveAtLeast] }]
    case 'order': {
      const gets = step.gets.flatMap(({ amount, to }) =>
        amount.raw !== '0' && own.some((one) => isSameAddress(one, to)) ? [amount] : [],
      )
      return [{ kind: step.kind, gives: step.gives, gets }]
    }
    default:
      return []
  }
}

/** In units that a currency's tokens share; null for an item. */
type CurrencyOf = (amount: Amount) => { readonly currency: string; readonly units: bigint } | null

const dollarDecimals = 18

function currenciesOf(networkId: CaipNetworkId): CurrencyOf {
  const { wrapped } = exchangesOf(networkId)
  const dollars = dollarTokens[networkId] ?? []
  return ({ raw, token, tokenId, anyItem }) => {
    if (tokenId !== undefined || anyItem !== undefined) return null
    const units = BigInt(raw)
    if (token === undefined || (wrapped !== undefined && isSameAddress(token, wrapped)))
      return { currency: 'native', units }
    const dollar = dollars.find(({ address }) => isSameAddress(address, token))
    if (dollar === undefined) return { currency: token.toLowerCase(), units }
    return { currency: 'dollar', units: units * 10n ** BigInt(dollarDecimals - dollar.decimals) }
  }
}

function sumsOf(amounts: readonly Amount[], currencyOf: CurrencyOf): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { currency, units } of amounts.flatMap((amount) => currencyOf(amount) ?? []))
    sums.set(currency, (sums.get(currency) ?? 0n) + units)
  return sums
}

/** Rule 2. */
function isLess(gets: readonly Amount[], gives: readonly Amount[], currencyOf: CurrencyOf): boolean {
  if (gets.some((amount) => currencyOf(amount) === null)) return false
  const given = sumsOf(gives, currencyOf)
  return [...sumsOf(gets, currencyOf)].every(([currency, units]) => units * 2n < (given.get(currency) ?? 0n))
}

/** Rule 3. */
function isBelowExpected(trades: readonly Trade[], changes: Intent['changes'], currencyOf: CurrencyOf): boolean {
  if (changes.kind === 'unknown') return false
  const swaps = trades.filter(({ kind }) => kind === 'swap').flatMap(({ gets }) => gets)
  const expected = sumsOf(
    changes.changes.flatMap(({ direction, amount }) => (direction === 'in' ? [amount] : [])),
    currencyOf,
  )
  return [...sumsOf(swaps, currencyOf)].some(([currency, units]) => units * 2n < (expected.get(currency) ?? 0n))
}
