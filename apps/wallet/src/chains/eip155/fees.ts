import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { Ask } from './endpoints'
import { Quantity } from './quantities'

/** Wei a unit of gas. Chains before EIP-1559 have one price. */
export type Fees =
  | { readonly kind: 'eip1559'; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly kind: 'legacy'; readonly gasPrice: bigint }

/** What a dapp asked for. */
export type AskedFees = {
  readonly gasPrice?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
}

/** 100,000 gwei: two orders above what any chain has asked for, so that only a mistake or an attack is above it (spec §5 names no value). */
export const maximumFeePerGas = 100_000n * 10n ** 9n

const Block = z.object({ baseFeePerGas: z.optional(Quantity), timestamp: Quantity })
const History = z.object({ reward: z.nullish(z.array(z.array(Quantity))) })

export type Tip = { readonly fees: Fees /** Epoch seconds of the newest block. */; readonly timestamp: bigint }

/**
 * Fees of the next blocks: twice the base fee, so that six full blocks in a row do not outbid them, and the tip that the node suggests, else the median of what the last five blocks
 * paid, else nothing. A chain without a base fee has its gas price.
 */
export async function suggestFees(ask: Ask): Promise<Tip> {
  const [{ baseFeePerGas, timestamp }, suggested, history, gasPrice] = await Promise.all([
    ask('eth_getBlockByNumber', ['latest', false], Block),
    orUndefined(ask('eth_maxPriorityFeePerGas', [], Quantity)),
    orUndefined(ask('eth_feeHistory', ['0x5', 'latest', [50]], History)),
    orUndefined(ask('eth_gasPrice', [], Quantity)),
  ])
  if (baseFeePerGas === undefined) {
    if (gasPrice === undefined) throw new Failure('INTERNAL', { message: 'The network names no gas price' })
    return { fees: checkFees({ kind: 'legacy', gasPrice }), timestamp }
  }
  const tip = suggested ?? median((history?.reward ?? []).flat()) ?? 0n
  return {
    fees: checkFees({ kind: 'eip1559', maxFeePerGas: 2n * baseFeePerGas + tip, maxPriorityFeePerGas: tip }),
    timestamp,
  }
}

/** The fees that a dapp names, completed from what is suggested. `gasPrice` makes a legacy transaction. */
export function mergeFees(asked: AskedFees, suggested: Fees): Fees {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = asked
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
  const tip = maxPriorityFeePerGas ?? smaller(suggested.maxPriorityFeePerGas, maxFeePerGas ?? maximumFeePerGas)
  const raised = suggested.maxFeePerGas - suggested.maxPriorityFeePerGas + tip
  return checkFees({ kind: 'eip1559', maxFeePerGas: maxFeePerGas ?? raised, maxPriorityFeePerGas: tip })
}

/** Spec §5: the fee is not above a cap, the priority fee not above the fee. @throws {Failure} INVALID_PARAMS */
export function checkFees(fees: Fees): Fees {
  const highest = priceCap(fees)
  if (highest > maximumFeePerGas)
    throw new Failure('INVALID_PARAMS', { message: 'The fee is above what any network asks for' })
  if (fees.kind === 'eip1559' && fees.maxPriorityFeePerGas > fees.maxFeePerGas)
    throw new Failure('INVALID_PARAMS', { message: 'The priority fee is above the whole fee' })
  return fees
}

/** The most that one unit of gas may cost. */
export function priceCap(fees: Fees): bigint {
  return fees.kind === 'legacy' ? fees.gasPrice : fees.maxFeePerGas
}

/** Decimal texts, as an approval has them. */
export function feeTexts(gas: bigint, fees: Fees) {
  return fees.kind === 'legacy'
    ? { gas: String(gas), gasPrice: String(fees.gasPrice) }
    : {
        gas: String(gas),
        maxFeePerGas: String(fees.maxFeePerGas),
        maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
      }
}

/** What some nodes do not answer is done without; an aborted request ends all the same. */
async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Failure && error.code === 'INTERNAL') return undefined
    throw error
  }
}

function median(values: readonly bigint[]): bigint | undefined {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1))
  return sorted[Math.floor(sorted.length / 2)]
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
