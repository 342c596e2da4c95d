/** Hands a signed user operation to the bundler, and reads its refusals. */
import { unconfirmed } from '@postern/chains/unconfirmed'
import { Failure } from '@postern/protocol/failure'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../contract'
import { cameFirst } from '../sent-state'
import { writeCallsId } from './calls-id'
import { bundlerOf, inOurWords, isUnreachable } from './endpoints'
import { type Operation, operationHash } from './operation-form'
import { safeContracts } from './safe'
import { becomesKnown } from './send-raw'

export function operationIds(operation: Operation, chainId: number): { readonly sentHash: Hex; readonly callsId: Hex } {
  const hash = operationHash(operation, chainId)
  const { validUntil } = operation
  return { sentHash: hash, callsId: writeCallsId({ kind: 'operation', chainId, hash, validUntil }) }
}

/**
 * Resolves once the bundler has it. If the bundler does not respond, polls it for up to 25 s (spec §9).
 * @throws {Failure} TRANSACTION_UNCONFIRMED if the bundler does not know it by then, TRANSACTION_REPLACED if another
 * operation has its nonce
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
    // It may be ours that has the nonce. Asked once.
    if (refusal !== null && (await becomesKnown(find, context.signal, 0))) return
    if (refusal !== null) throw overtaken(error)
    inOurWords(error)
  }
}

/** Of an estimate. */
export function inBundlerWords(error: unknown): never {
  if (nonceRefusalOf(error) === 'used') throw overtaken(error)
  inOurWords(error)
}

function overtaken(cause: unknown): Failure {
  return new Failure('TRANSACTION_REPLACED', { message: cameFirst, cause })
}

/** What the reference bundler, Alto, Rundler, Stackup and Voltaire say. */
const bundled = /already being processed/i
const held =
  /replacement|replace user ?operation|underpriced|(present|already) in (the )?mempool|already (known|pending)/i
/** The entry point's: the nonce is used; the account has been deployed, by its first operation. */
const used = /AA25|AA10/

/**
 * Why a bundler takes no operation with this nonce. `used`: a block has another one. `held`: it has another one, and asks for
 * more to replace it. `bundled`: it has sent another one to the chain. Null if the nonce is not the reason.
 */
export function nonceRefusalOf(error: unknown): 'used' | 'held' | 'bundled' | null {
  if (!(error instanceof Failure)) return null
  const { message } = error.code === 'TRANSACTION_REPLACED' && error.cause instanceof Failure ? error.cause : error
  // Alto words all three as AA25.
  if (bundled.test(message)) return 'bundled'
  if (held.test(message)) return 'held'
  return used.test(message) ? 'used' : null
}
