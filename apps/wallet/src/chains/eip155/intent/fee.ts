/** Judges fees. A dapp may set gas and prices, so a high fee is suspicious. */
import type { ApprovalSubject } from '@postern/protocol'

export type EvmSubject = Extract<
  ApprovalSubject,
  { kind: 'eip155.transaction' | 'eip155.transactions' | 'eip155.userOperation' | 'eip155.permissions' }
>

/** In wei: half a unit, or less of ether, which is worth more than most. */
const highFee = 5n * 10n ** 17n
const highEtherFee = 10n ** 17n
/** In wei. Below it, a fee above half of the value is normal on a busy chain. */
const notableFee = 5n * 10n ** 15n
/** In wei. */
const smallFee = 10n ** 15n
/** The wallet offers at most twice the last block's price, plus a tip. */
const highPriceFactor = 5n
/** The wallet's gas limit is about 1.2 times the estimate, so its fee is at most three times gas used × price. */
const highFeeFactor = 10n

const feesOf = (subject: EvmSubject) =>
  subject.kind === 'eip155.transactions' ? subject.transactions.map(({ fees }) => fees) : [subject.fees]

const priceOf = ({ maxFeePerGas, gasPrice }: ReturnType<typeof feesOf>[number]) =>
  BigInt(maxFeePerGas ?? gasPrice ?? '0')

/** In wei, with the rollup fee. */
export function feeOf(subject: EvmSubject): bigint {
  return feesOf(subject).reduce((sum, fees) => sum + feeOfFees(fees), 0n)
}

export function feeOfFees(fees: ReturnType<typeof feesOf>[number]): bigint {
  return offeredBy(fees) + BigInt(fees.rollup ?? '0')
}

function offeredBy(fees: ReturnType<typeof feesOf>[number]): bigint {
  return BigInt(fees.gas) * priceOf(fees)
}

export function replacedBy(subject: EvmSubject) {
  return subject.kind === 'eip155.transaction' || subject.kind === 'eip155.userOperation' ? subject.replaces : undefined
}

export const isSponsored = (subject: EvmSubject): boolean =>
  subject.kind === 'eip155.userOperation' && subject.sponsored

/**
 * By the wallet's own knowledge: an endpoint may name a high price.
 *
 * 1. More than half a unit of the native currency, or a tenth of an ether.
 * 2. A notable fee above half of the value sent with it.
 * 3. A replacement's fee far above the earlier one.
 */
export function isDear(subject: EvmSubject, value: bigint, symbol: string): boolean {
  if (isSponsored(subject)) return false
  const fee = feeOf(subject)
  const high = symbol === 'ETH' ? highEtherFee : highFee
  return fee > high || (fee > notableFee && value > 0n && fee * 2n > value) || isFarAboveReplaced(subject)
}

function isFarAboveReplaced(subject: EvmSubject): boolean {
  const replaces = replacedBy(subject)
  if (replaces === undefined || feeOf(subject) <= smallFee) return false
  const offered = feesOf(subject).reduce((sum, fees) => sum + offeredBy(fees), 0n)
  return offered > offeredBy(replaces.fees) * highPriceFactor
}

/**
 * Whether a fee above {@link smallFee} is far above the chain's. The chain's response only adds this warning:
 *
 * 1. At a price far above the chain's.
 * 2. For a plain transaction, also far above the simulated gas at the chain's price. No simulation of a user operation
 *    shows all of its gas.
 */
export function isFarAboveChain(
  subject: EvmSubject,
  { price, gasUsed }: { readonly price: bigint; readonly gasUsed: bigint | null },
): boolean {
  if (feeOf(subject) <= smallFee) return false
  const fees = feesOf(subject)
  if (fees.some((one) => priceOf(one) > price * highPriceFactor)) return true
  const isPlain = subject.kind === 'eip155.transaction' || subject.kind === 'eip155.transactions'
  const offered = fees.reduce((sum, one) => sum + offeredBy(one), 0n)
  return isPlain && gasUsed !== null && offered > gasUsed * price * highFeeFactor
}
