/** What a Bitcoin input may be signed for. Asked before anybody is shown the request, and again by whoever holds the key. */
import { Transaction } from 'bitcoinjs-lib'

const [all, single, anyoneCanPay] = [
  Transaction.SIGHASH_ALL,
  Transaction.SIGHASH_SINGLE,
  Transaction.SIGHASH_ANYONECANPAY,
]
const allowed: ReadonlySet<number> = new Set([all, single, all | anyoneCanPay, single | anyoneCanPay])

/**
 * 1. Everything, or everything but other people's inputs, or this input against the output of the same place (how a listing on a market is written).
 *    Never NONE: whoever holds such a signature writes the outputs.
 * 2. SIGHASH_SINGLE needs an output at the input's place: without one it would sign no output at all.
 *
 * @param index of the input. @param outputs how many the transaction has.
 */
export function isSignable(sighash: number, index: number, outputs: number): boolean {
  const isSingle = (sighash & ~anyoneCanPay) === single
  return allowed.has(sighash) && (!isSingle || index < outputs)
}
