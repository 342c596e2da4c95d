import { chooseTip, TipHistory, tipHistoryParams } from '@postern/chains/eip155/tip'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { Ask } from './endpoints'
import { Quantity } from './quantities'

/** In wei per gas. A chain without EIP-1559 has a single price. */
export type Fees =
  | { readonly kind: 'eip1559'; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly kind: 'legacy'; readonly gasPrice: bigint }

export type AskedFees = {
  readonly gasPrice?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
}

/** 100,000 gwei, a hundred times the highest price of any chain so far (spec §5 names no value). */
const feePerGasLimit = 100_000n * 10n ** 9n

const Block = z.object({ baseFeePerGas: z.optional(Quantity), timestamp: Quantity })

export type Tip = { readonly fees: Fees /** `timestamp` is in epoch seconds. */; readonly timestamp: bigint }

/** Twice the base fee (covers six full blocks) plus the tip ({@link chooseTip}), or the gas price. */
export async function suggestFees(ask: Ask): Promise<Tip> {
  const [{ baseFeePerGas, timestamp }, suggested, history, gasPrice] = await Promise.all([
    ask('eth_getBlockByNumber', ['latest', false], Block),
    orUndefined(ask('eth_maxPriorityFeePerGas', [], Quantity)),
    orUndefined(ask('eth_feeHistory', tipHistoryParams, TipHistory)),
    orUndefined(ask('eth_gasPrice', [], Quantity)),
  ])
  if (baseFeePerGas === undefined) {
    if (gasPrice === undefined) throw new Failure('INTERNAL', { message: 'The network names no gas price' })
    return { fees: checkFees({ kind: 'legacy', gasPrice }), timestamp }
  }
  const tip = chooseTip(suggested, history)
  return {
    fees: checkFees({ kind: 'eip1559', maxFeePerGas: 2n * baseFeePerGas + tip, maxPriorityFeePerGas: tip }),
    timestamp,
  }
}

export function mergeFees(requested: AskedFees, suggested: Fees): Fees {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = requested
  if (gasPrice !== undefined) {
    if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined)
      throw new Failure('INVALID_PARAMS', {
        message: 'A transaction has a gas price or fees of EIP-1559, not both',
      })
    return checkFees({ kind: 'legacy', gasPrice })
  }
  if (maxFeePerGas === undefined && maxPriorityFeePerGas === undefined) return suggested
  if (suggested.kind === 'legacy')
    throw new Failure('INVALID_PARAMS', { message: 'This network has no fees of EIP-1559' })
  const tip = maxPriorityFeePerGas ?? smaller(suggested.maxPriorityFeePerGas, maxFeePerGas ?? feePerGasLimit)
  const raised = suggested.maxFeePerGas - suggested.maxPriorityFeePerGas + tip
  return checkFees({ kind: 'eip1559', maxFeePerGas: maxFeePerGas ?? raised, maxPriorityFeePerGas: tip })
}

/** An eighth more of both fees; nodes require a tenth (geth). */
export function raiseFees(old: Fees, suggested: Fees): Fees {
  if (old.kind === 'legacy')
    return checkFees({ kind: 'legacy', gasPrice: larger(raise(old.gasPrice), priceCap(suggested)) })
  const tip = suggested.kind === 'legacy' ? 0n : suggested.maxPriorityFeePerGas
  return checkFees({
    kind: 'eip1559',
    maxFeePerGas: larger(raise(old.maxFeePerGas), priceCap(suggested)),
    maxPriorityFeePerGas: larger(raise(old.maxPriorityFeePerGas), tip),
  })
}

export function higherFees(one: Fees, other: Fees | undefined): Fees {
  if (other === undefined) return one
  if (one.kind === 'legacy') return { kind: 'legacy', gasPrice: larger(one.gasPrice, priceCap(other)) }
  const tip = other.kind === 'legacy' ? 0n : other.maxPriorityFeePerGas
  return {
    kind: 'eip1559',
    maxFeePerGas: larger(one.maxFeePerGas, priceCap(other)),
    maxPriorityFeePerGas: larger(one.maxPriorityFeePerGas, tip),
  }
}

/** Fees from which the next raise ends half above `offered`. */
export function feesToRaiseAfterRefusal(offered: Fees): Fees {
  const third = (fee: bigint) => (fee * 4n) / 3n + 1n
  if (offered.kind === 'legacy') return { kind: 'legacy', gasPrice: third(offered.gasPrice) }
  const { maxFeePerGas, maxPriorityFeePerGas } = offered
  return {
    kind: 'eip1559',
    maxFeePerGas: third(maxFeePerGas),
    maxPriorityFeePerGas: third(maxPriorityFeePerGas),
  }
}

function raise(fee: bigint): bigint {
  return (fee * 9n) / 8n + 1n
}

/** Spec §5. @throws {Failure} INVALID_PARAMS */
export function checkFees(fees: Fees): Fees {
  const highest = priceCap(fees)
  if (highest > feePerGasLimit)
    throw new Failure('INVALID_PARAMS', { message: 'The fee is above what any network asks for' })
  if (fees.kind === 'eip1559' && fees.maxPriorityFeePerGas > fees.maxFeePerGas)
    throw new Failure('INVALID_PARAMS', { message: 'The priority fee is above the whole fee' })
  return fees
}

export function priceCap(fees: Fees): bigint {
  return fees.kind === 'legacy' ? fees.gasPrice : fees.maxFeePerGas
}

export function feeTexts(gas: bigint, fees: Fees) {
  return fees.kind === 'legacy'
    ? { gas: String(gas), gasPrice: String(fees.gasPrice) }
    : {
        gas: String(gas),
        maxFeePerGas: String(fees.maxFeePerGas),
        maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
      }
}

/** Undefined if the node lacks the method. */
async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Failure && error.code === 'INTERNAL') return undefined
    throw error
  }
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
