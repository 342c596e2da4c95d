/** What an EVM request may cost in fees, and whether that is suspicious: a dapp may set the fee itself. */
import type { ApprovalSubject } from '@postern/protocol'

export type EvmSubject = Extract<
  ApprovalSubject,
  { kind: 'eip155.transaction' | 'eip155.transactions' | 'eip155.userOperation' | 'eip155.permissions' }
>

/** In wei: one unit of the native currency. */
const highFee = 10n ** 18n
/** In wei. Below it, a fee above the value is no news: small payments on a busy chain. */
const notableFee = 10n ** 16n
/** The wallet itself offers at most twice the price of the last block, plus a tip. */
const highPriceFactor = 5n

const feesOf = (subject: EvmSubject) =>
  subject.kind === 'eip155.transactions' ? subject.transactions.map(({ fees }) => fees) : [subject.fees]

/** In wei: all gas at the highest price, plus the rollup fee. */
export function feeOf(subject: EvmSubject): bigint {
  return feesOf(subject).reduce(
    (sum, { gas, maxFeePerGas, gasPrice, rollup = '0' }) =>
      sum + BigInt(gas) * BigInt(maxFeePerGas ?? gasPrice ?? '0') + BigInt(rollup),
    0n,
  )
}

export const isSponsored = (subject: EvmSubject): boolean =>
  subject.kind === 'eip155.userOperation' && subject.sponsored

/**
 * Known without the chain.
 *
 * 1. More than one unit of the native currency.
 * 2. A notable fee that is more than the value sent with it.
 */
export function isDear(subject: EvmSubject, value: bigint): boolean {
  if (isSponsored(subject)) return false
  const fee = feeOf(subject)
  return fee > highFee || (fee > notableFee && value > 0n && fee > value)
}

/** A notable fee at a price far above the chain's. */
export function isDearPrice(subject: EvmSubject, chainPrice: bigint): boolean {
  if (feeOf(subject) <= notableFee / 10n) return false
  return feesOf(subject).some(
    ({ maxFeePerGas, gasPrice }) => BigInt(maxFeePerGas ?? gasPrice ?? '0') > chainPrice * highPriceFactor,
  )
}
