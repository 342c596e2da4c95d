import { parseUnits } from '@postern/chains/format'
import { type CaipNetworkId, limits, type OnRampOptions } from '@postern/protocol'

export type Offer = {
  readonly id: string
  readonly name: string
  readonly symbol: string
  readonly network: string
}

/** In the seller's order. */
export function offersOn(networkId: CaipNetworkId, { purchaseCurrencies }: OnRampOptions): readonly Offer[] {
  // The seller names EVM networks by their number.
  const isSupported = (chainId: string) => [chainId, `eip155:${chainId}`].includes(networkId)
  return purchaseCurrencies.flatMap(({ id, name, symbol, networks }) => {
    const supported = networks.find(({ chain_id }) => isSupported(chain_id))
    return supported === undefined ? [] : [{ id, name, symbol, network: supported.name }]
  })
}

export function soldNetworks(networkIds: readonly CaipNetworkId[], options: OnRampOptions): readonly CaipNetworkId[] {
  return networkIds.filter((id) => offersOn(id, options).length > 0)
}

export const fiatDecimals = 2

/** In cents. */
export type Range = { readonly min: bigint; readonly max: bigint }
/** `bank` is null if unavailable. */
export type AmountLimits = { readonly card: Range; readonly bank: Range | null }

/**
 * The seller's limits per payment method. Malformed or negative amounts are ignored.
 *
 * Without any, those of spec §9: card 10 to 7,500, bank 10 to 25,000.
 */
export function limitsOf(currency: string, { paymentCurrencies }: OnRampOptions): AmountLimits {
  const methodLimits = paymentCurrencies.find(({ id }) => id === currency)?.payment_method_limits ?? []
  const ranges = methodLimits.flatMap(({ id, min, max }) => {
    const range = { min: parseUnits(min, fiatDecimals), max: parseUnits(max, fiatDecimals) }
    return range.min === null || range.max === null || range.max < range.min
      ? []
      : [{ isBank: /bank|ach|sepa|wire/i.test(id), range: { min: range.min, max: range.max } }]
  })
  if (ranges.length === 0) return { card: inCents(limits.onrampCard), bank: inCents(limits.onrampBank) }
  const bank = widest(ranges.flatMap(({ isBank, range }) => (isBank ? [range] : [])))
  const card = widest(ranges.flatMap(({ isBank, range }) => (isBank ? [] : [range])))
  return { card: card ?? bank ?? inCents(limits.onrampCard), bank }
}

function inCents({ min, max }: { readonly min: number; readonly max: number }): Range {
  return { min: BigInt(min) * 100n, max: BigInt(max) * 100n }
}

function widest(ranges: readonly Range[]): Range | null {
  const [first, ...others] = ranges
  return first === undefined
    ? null
    : others.reduce((all, { min, max }) => ({ min: smaller(all.min, min), max: larger(all.max, max) }), first)
}

function smaller(left: bigint, right: bigint): bigint {
  if (left < right) return left
  return right
}

function larger(left: bigint, right: bigint): bigint {
  if (left > right) return left
  return right
}

/** Above `card` only a bank transfer is allowed. */
export type AmountKind = 'none' | 'low' | 'card' | 'bank' | 'high'

export function kindOfAmount(cents: bigint | null, { card, bank }: AmountLimits): AmountKind {
  if (cents === null || cents === 0n) return 'none'
  if (cents >= card.min && cents <= card.max) return 'card'
  if (bank !== null && cents >= bank.min && cents <= bank.max) return 'bank'
  return cents < minAmount({ card, bank }) ? 'low' : 'high'
}

export function maxAmount({ card, bank }: AmountLimits): bigint {
  return bank === null ? card.max : larger(card.max, bank.max)
}

export function minAmount({ card, bank }: AmountLimits): bigint {
  return bank === null ? card.min : smaller(card.min, bank.min)
}
