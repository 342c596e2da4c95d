import { unconfirmed } from '@postern/chains/outcomes/unconfirmed'
import { type ErrorCode, limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type Hex, keccak256 } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { replacedMessage } from '../../sent-state'
import { chainOf, isUnreachable, throwAsFailure } from './endpoints'
import { pause } from './pause'
import { Hash } from './quantities'

const Known = z.nullable(z.object({ hash: Hash }))

/**
 * Sends signed bytes and returns their hash. Without a response, polls the chain for up to 25 s (spec §9).
 * @throws {Failure} TRANSACTION_UNCONFIRMED if the chain does not know it by then, TRANSACTION_REPLACED if another
 *   transaction has its nonce
 */
export async function sendRaw(signed: Hex, context: ChainContext): Promise<Hex> {
  const ask = chainOf(context)
  const hash = keccak256(signed)
  try {
    await ask('eth_sendRawTransaction', [signed], z.unknown())
    return hash
  } catch (error) {
    if (error instanceof Failure && /already ?known|already imported/i.test(error.message)) return hash
    const find = () => ask('eth_getTransactionByHash', [hash], Known)
    if (isOutbid(error)) {
      // Our own transaction may have the nonce: an endpoint took it without a response, and the gateway asked the next
      // one.
      if (await becomesKnown(find, context.signal, limits.rpcPollingInterval)) return hash
      throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage, cause: error })
    }
    if (!isUnreachable(error)) return throwAsFailure(error)
    if (!(await becomesKnown(find, context.signal))) throw unconfirmed({ sentHash: hash }, error)
    return hash
  }
}

/** Messages of geth, Nethermind, Besu, Erigon, reth and anvil. */
const outbid =
  /nonce (is )?too low|old ?nonce|nonce ?already ?used|replacement.*(underpriced|not ?allowed)|could not replace/i

/** Whether a block has the nonce. If not, a waiting transaction pays too much to be replaced. */
export function isNonceUsed(error: unknown): boolean {
  return error instanceof Failure && error.cause instanceof Failure && /nonce/i.test(error.cause.message)
}

function isOutbid(error: unknown): boolean {
  return error instanceof Failure && error.code === 'INTERNAL' && outbid.test(error.message)
}

/** Undefined if the broadcast may have arrived. */
export function refusalOf(error: unknown): 'refused' | 'outbid' | undefined {
  if (!(error instanceof Failure) || doubtful.has(error.code) || isUnreachable(error)) return undefined
  return error.code === 'TRANSACTION_REPLACED' ? 'outbid' : 'refused'
}

const doubtful: ReadonlySet<ErrorCode> = new Set(['ABORTED', 'TRANSACTION_UNCONFIRMED'])

/** A failed poll counts as no value. */
export async function becomesKnown(
  ask: () => Promise<unknown>,
  signal: AbortSignal,
  waitMs: number = limits.sendTransactionWait,
): Promise<boolean> {
  const end = Date.now() + waitMs
  for (;;) {
    const found = await ask().catch(() => null)
    if (signal.aborted) throw new Failure('ABORTED')
    if (found !== null && found !== undefined) return true
    if (Date.now() + limits.rpcPollingInterval > end) return false
    await pause(limits.rpcPollingInterval, signal)
  }
}
