/** Who swaps on one network: a router of the chain itself, or an aggregator's service. */
import { nativeTokenAddress } from '@postern/protocol'
import { type Address, getAddress, type Hex } from 'viem'

/** A network's own currency where a token is named. */
export const native: Address = getAddress(nativeTokenAddress)

/** `from` and `to` with EIP-55's checksum, {@link native} for the network's own currency. `amount` is of `from`, in whole smallest units. */
export type SwapQuestion = { readonly from: Address; readonly to: Address; readonly amount: bigint }

export type Offer = {
  /** Of `to`, in whole smallest units, before any tolerance. */
  readonly amount: bigint
  /** In per cent; absent where it is not known. */
  readonly fee?: string
  readonly priceImpact?: string
}

export type SwapOrder = SwapQuestion & {
  readonly user: Address
  /** Millionths that may be lost on the way. */
  readonly slippage: bigint
  /** What the visitor was shown of `to`: the tolerance is counted from it. Null: from what is offered now. */
  readonly shown: bigint | null
}

export type Call = {
  readonly to: Address
  readonly data: Hex
  /** Wei that goes along. */
  readonly value: bigint
  /** What such a call takes at most as a rule, for when the chain will not estimate it. */
  readonly usualGas: bigint
}

export type ListedToken = {
  readonly address: Address
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  /** Whether it takes signed permits. */
  readonly eip2612?: boolean | undefined
}

export type SwapProvider = {
  readonly name: string
  /** What can be swapped, but for the network's own currency, which always can. */
  tokens(): Promise<readonly ListedToken[]>
  /** Null where there is no route. */
  offer(question: SwapQuestion): Promise<Offer | null>
  /** Who has to be allowed to take `from`. */
  spender(): Promise<Address>
  /** Null where there is no route. @throws {PriceMovedError} */
  build(order: SwapOrder): Promise<Call | null>
}

/** What the visitor was shown cannot be had any more, not even with the tolerance. */
export class PriceMovedError extends Error {
  override readonly name = 'PriceMovedError'
}

const whole = 1_000_000n

/** The least that a swap may give, rounded up: never less than the tolerance says. */
export function least(amount: bigint, slippage: bigint): bigint {
  return (amount * (whole - slippage) + whole - 1n) / whole
}

/** @param offered now. @returns what the swap itself has to hold to. @throws {PriceMovedError} */
export function leastOf({ slippage, shown }: Pick<SwapOrder, 'slippage' | 'shown'>, offered: bigint): bigint {
  const floor = least(shown ?? offered, slippage)
  if (offered < floor) throw new PriceMovedError('The price has moved')
  return floor
}
