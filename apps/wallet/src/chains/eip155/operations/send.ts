import { unconfirmed } from '@postern/chains/outcomes/unconfirmed'
import { Failure } from '@postern/protocol/failure'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { replacedMessage } from '../../sent-state'
import { safeContracts } from '../account/safe'
import { bundlerOf, isUnreachable, throwAsFailure } from '../endpoints/endpoints'
import { type Fees, larger } from '../endpoints/fees'
import { becomesKnown } from '../endpoints/send-raw'
import { writeCallsId } from '../sent/calls-id'
import { type Operation, operationHash } from './form'

export function operationIds(operation: Operation, chainId: number): { readonly sentHash: Hex; readonly callsId: Hex } {
  const hash = operationHash(operation, chainId)
  const { validUntil } = operation
  return { sentHash: hash, callsId: writeCallsId({ kind: 'operation', chainId, hash, validUntil }) }
}

/**
 * Resolves once the bundler has the operation. Without a response, polls for up to 25 s (spec §9).
 * @throws {Failure} TRANSACTION_UNCONFIRMED if the bundler does not know it by then, TRANSACTION_REPLACED if another
 *   operation has its nonce
 */
export async function sendOperation(
  wire: unknown,
  ids: ReturnType<typeof operationIds>,
  context: ChainContext,
): Promise<void> {
  const ask = bundlerOf(context)
  const find = () => ask('eth_getUserOperationByHash', [ids.sentHash], z.nullable(z.unknown()))
  try {
    await ask('eth_sendUserOperation', [wire, safeContracts.entryPoint], z.unknown())
  } catch (error) {
    if (isUnreachable(error)) {
      if (await becomesKnown(find, context.signal)) return
      throw unconfirmed(ids, error)
    }
    const refusal = nonceRefusalOf(error)
    // Our own operation may have the nonce.
    if (refusal !== null && (await becomesKnown(find, context.signal, 0))) return
    if (refusal !== null) throw overtaken(error)
    throwAsFailure(error)
  }
}

export function throwBundlerFailure(error: unknown): never {
  if (nonceRefusalOf(error) === 'used') throw overtaken(error)
  throwAsFailure(error)
}

function overtaken(cause: unknown): Failure {
  return new Failure('TRANSACTION_REPLACED', { message: replacedMessage, cause })
}

/** Messages of the reference bundler, Alto, Rundler, Stackup and Voltaire. */
const bundled = /already being processed/i
const held =
  /replacement|replace user ?operation|underpriced|(present|already) in (the )?mempool|already (known|pending)/i
/** The entry point: the nonce is used; the account is already deployed. */
const used = /AA25|AA10/

/**
 * Why a bundler refuses this nonce; null if the nonce is not the reason.
 *
 * - `used`: a block has another operation.
 * - `held`: the bundler wants a higher fee to replace another operation.
 * - `bundled`: the bundler has sent another operation to the chain.
 */
export function nonceRefusalOf(error: unknown): 'used' | 'held' | 'bundled' | null {
  const message = messageOf(error)
  // Alto words all three as AA25.
  if (bundled.test(message)) return 'bundled'
  if (held.test(message)) return 'held'
  return used.test(message) ? 'used' : null
}

/** `(old=1 new=2)`: the reference bundler. `Existing priority fee: 1. Existing fee: 2`: Rundler. */
const oldFee = {
  maxFeePerGas: /existing fee: (\d+)|higher maxFeePerGas \(old=(\d+)/i,
  maxPriorityFeePerGas: /existing priority fee: (\d+)|higher maxPriorityFeePerGas \(old=(\d+)/i,
}

export function heldFeesOf(error: unknown): Extract<Fees, { kind: 'eip1559' }> | undefined {
  const read = (name: keyof typeof oldFee) => {
    const [, one, other] = oldFee[name].exec(messageOf(error)) ?? []
    return BigInt(one ?? other ?? 0)
  }
  const [fee, tip] = [read('maxFeePerGas'), read('maxPriorityFeePerGas')]
  const maxFeePerGas = larger(fee, tip)
  return maxFeePerGas === 0n ? undefined : { kind: 'eip1559', maxFeePerGas, maxPriorityFeePerGas: tip }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Failure)) return ''
  return (error.code === 'TRANSACTION_REPLACED' && error.cause instanceof Failure ? error.cause : error).message
}
