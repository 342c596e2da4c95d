import { unconfirmed } from '@postern/chains/unconfirmed'
import { limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type Hex, keccak256 } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../contract'
import { chainOf, inOurWords, isUnreachable } from './endpoints'
import { pause } from './pause'
import { Hash } from './quantities'

const Known = z.nullable(z.object({ hash: Hash }))

/**
 * Returns the hash of the bytes, whatever the endpoint returns.
 *
 * If the endpoint does not respond, polls the chain for up to 25 s (spec §9).
 * @throws {Failure} TRANSACTION_UNCONFIRMED if the chain does not know it by then
 */
export async function sendRaw(signed: Hex, context: ChainContext): Promise<Hex> {
  const ask = chainOf(context)
  const hash = keccak256(signed)
  try {
    await ask('eth_sendRawTransaction', [signed], z.unknown())
    return hash
  } catch (error) {
    if (error instanceof Failure && /already ?known|already imported/i.test(error.message)) return hash
    if (!isUnreachable(error)) return inOurWords(error)
    const known = await becomesKnown(() => ask('eth_getTransactionByHash', [hash], Known), context.signal)
    if (!known) throw unconfirmed({ sentHash: hash }, error)
    return hash
  }
}

/** Polls for up to 25 s (spec §9); a failed poll counts as no value. */
export async function becomesKnown(ask: () => Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const end = Date.now() + limits.sendTransactionWait
  for (;;) {
    const found = await ask().catch(() => null)
    if (signal.aborted) throw new Failure('ABORTED')
    if (found !== null && found !== undefined) return true
    if (Date.now() + limits.rpcPollingInterval > end) return false
    await pause(limits.rpcPollingInterval, signal)
  }
}
