/** BIP-125. */
import type { ReplacementKind } from '@postern/protocol'
import type { Transaction } from 'bitcoinjs-lib'
import type { BitcoinAddress } from './address'
import { type Coin, dustLimit, type FeeRate, feeOf, isDust, mayCarryCollectible, transactionSize } from './coins'
import type { TransferOutput } from './psbt'

export type ReplacementRequest = {
  readonly kind: ReplacementKind
  /** The last version; all inputs are P2WPKH and the sender's. */
  readonly transaction: Transaction
  /** Satoshis. */
  readonly fee: bigint
  readonly own: Pick<BitcoinAddress, 'script' | 'kind'>
  readonly feeRate: FeeRate
  /** Confirmed coins. A replacement must not add unconfirmed ones. */
  readonly spare: readonly Coin[]
}

/** `missing`: satoshis. */
export type Replacement =
  | { readonly added: Coin | null; readonly outputs: readonly TransferOutput[]; readonly fee: bigint }
  | { readonly missing: bigint }

/** Satoshis per vbyte (BIP-125, rule 4). */
const incrementalFee = 1n

/** Required by nodes (BIP-125, rule 1). */
export function isSignalling({ ins }: Transaction): boolean {
  return ins.some(({ sequence }) => sequence < 0xffff_fffe)
}

/**
 * Plans a replacement with all inputs of the earlier transaction.
 *
 * 1. A speed-up pays the same to others; the sender's change pays the higher fee. If that does not suffice, the
 *    smallest sufficient spare coin is added, preferably without a collectible. Change below dust goes to the fee.
 * 2. A cancellation pays everything minus the fee to the sender.
 * 3. The fee is at least the earlier one plus 1 satoshi per vbyte. Its rate is above the earlier rate and at least
 *    `feeRate`.
 * 4. Payments to others never change: if the fee cannot be paid, nothing is planned.
 */
export function planReplacement(request: ReplacementRequest): Replacement {
  const { kind, transaction, fee, own, spare } = request
  const { ins, outs } = transaction
  const changeAt = kind === 'cancel' ? 0 : changeIndex(request)
  const kept = kind === 'cancel' ? [] : outs.filter((_, index) => index !== changeAt)
  const gathered = sum(outs) + fee - sum(kept)
  const scripts = kept.map(({ script }) => script)
  const smallest = spare.toSorted((one, other) => (one.value < other.value ? -1 : 1))
  const isPlain = (coin: Coin) => !mayCarryCollectible(coin)
  const added = kind === 'cancel' ? [] : [...smallest.filter(isPlain), ...smallest.filter(mayCarryCollectible)]
  const lacking: bigint[] = []
  for (const coin of [null, ...added]) {
    const inputs = ins.length + (coin === null ? 0 : 1)
    const left = gathered + (coin?.value ?? 0n)
    const change = left - requiredFee(request, transactionSize('p2wpkh', inputs, [...scripts, own.script]))
    if (!isDust(change, own.kind)) {
      const outputs = kept.toSpliced(changeAt, 0, { script: own.script, value: change })
      return { added: coin, outputs, fee: left - change }
    }
    if (kept.length === 0) {
      lacking.push(dustLimit(own.kind) - change)
      continue
    }
    const withoutChange = requiredFee(request, transactionSize('p2wpkh', inputs, scripts))
    if (left >= withoutChange) return { added: coin, outputs: kept, fee: left }
    lacking.push(withoutChange - left)
  }
  const [missing = 0n] = lacking.toSorted((one, other) => (one < other ? -1 : 1))
  return { missing }
}

/** The last output to the sender. A single output is the payment. */
function changeIndex({ transaction: { outs }, own }: ReplacementRequest): number {
  const found = outs.length > 1 ? outs.findLastIndex(({ script }) => isEqual(script, own.script)) : -1
  return found === -1 ? outs.length : found
}

/** Rule 3. */
function requiredFee({ transaction, fee, feeRate }: ReplacementRequest, size: bigint): bigint {
  const aboveRate = (fee * size) / BigInt(transaction.virtualSize()) + 1n
  return [feeOf(size, feeRate), aboveRate].reduce(
    (highest, one) => (one > highest ? one : highest),
    fee + incrementalFee * size,
  )
}

function sum(outputs: readonly { readonly value: bigint }[]): bigint {
  return outputs.reduce((total, { value }) => total + value, 0n)
}

function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}
