import { nativeTokenAddress } from '@postern/protocol'
import { type Address, getAddress, type Hex } from 'viem'

export const native: Address = getAddress(nativeTokenAddress)

/** Checksummed (EIP-55); {@link native} for the native currency. `amount`: of `from`, in smallest units. */
export type SwapQuestion = { readonly from: Address; readonly to: Address; readonly amount: bigint }

export type Offer = {
  /** Of `to`, in smallest units, before tolerance. */
  readonly amount: bigint
  /** In per cent. */
  readonly fee?: string
  readonly priceImpact?: string
}

export type SwapOrder = SwapQuestion & {
  readonly user: Address
  /** Tolerance in millionths. */
  readonly slippage: bigint
  /** Amount of `to` that the user saw. Null: the current offer. */
  readonly shown: bigint | null
}

export type Call = {
  readonly to: Address
  readonly data: Hex
  /** In wei. */
  readonly value: bigint
  /** If the chain cannot estimate the call. */
  readonly usualGas: bigint
}

export type ListedToken = {
  readonly address: Address
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly eip2612?: boolean | undefined
}

export type SwapProvider = {
  readonly name: string
  /** Without the native currency. */
  tokens(): Promise<readonly ListedToken[]>
  offer(question: SwapQuestion): Promise<Offer | null>
  /** Needs an allowance for `from`. */
  spender(): Promise<Address>
  /** Null without a route. @throws {PriceMovedError} */
  build(order: SwapOrder): Promise<Call | null>
}

export class PriceMovedError extends Error {
  override readonly name = 'PriceMovedError'
}

const whole = 1_000_000n

/** Rounded up, within the tolerance. */
export function minAmount(amount: bigint, slippage: bigint): bigint {
  return (amount * (whole - slippage) + whole - 1n) / whole
}

/** The minimum that the swap must enforce. @throws {PriceMovedError} */
export function minAmountOf({ slippage, shown }: Pick<SwapOrder, 'slippage' | 'shown'>, offered: bigint): bigint {
  const floor = minAmount(shown ?? offered, slippage)
  if (offered < floor) throw new PriceMovedError('The price has moved')
  return floor
}
