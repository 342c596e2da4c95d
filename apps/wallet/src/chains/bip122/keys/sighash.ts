/** Checked before approval, and again in the worker. */
import { Transaction } from 'bitcoinjs-lib'

const [all, single, anyoneCanPay] = [
  Transaction.SIGHASH_ALL,
  Transaction.SIGHASH_SINGLE,
  Transaction.SIGHASH_ANYONECANPAY,
]
const allowed: ReadonlySet<number> = new Set([all, single, all | anyoneCanPay, single | anyoneCanPay])

/**
 * Whether an input may be signed with this SIGHASH type.
 *
 * 1. ALL or SINGLE (as in a marketplace listing), each with or without ANYONECANPAY. Never NONE: anyone could choose
 *    the outputs.
 * 2. SINGLE needs an output at the input's index, or it would sign no output.
 * @param outputs how many the transaction has
 */
export function isSignable(sighash: number, index: number, outputs: number): boolean {
  const isSingle = (sighash & ~anyoneCanPay) === single
  return allowed.has(sighash) && (!isSingle || index < outputs)
}
