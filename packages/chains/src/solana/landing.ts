import type { Clock } from '@postern/base/clock'
import { Failure } from '@postern/protocol/failure'
import type { JsonRpcClient } from '../nodes/json-rpc'
import { pollUntil } from '../nodes/poll-until'
import { expiryOf, statusOf } from './outcome'

/**
 * Finds out whether a transaction landed although its endpoint did not respond ({@link pollUntil}).
 *
 * 1. `taken` when the chain knows it.
 * 2. `dropped` when no block can include it any more ({@link expiryOf}) and a last check does not find it.
 * 3. `unknown` if no node says, and with a durable nonce.
 */
export async function landing(
  rpc: JsonRpcClient,
  { signature, transaction }: { readonly signature: string; readonly transaction: string },
  wait: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<'taken' | 'dropped' | 'unknown'> {
  const { signal } = wait
  const isKnown = async () => (await statusOf(rpc, signature, signal)) !== null
  const isTooOld = expiryOf(rpc, transaction)

  async function poll(): Promise<'taken' | 'dropped' | null> {
    if (await isKnown()) return 'taken'
    if (!(await isTooOld(signal))) return null
    return (await isKnown()) ? 'taken' : 'dropped'
  }

  try {
    return await pollUntil(poll, wait)
  } catch (thrown) {
    if (signal.aborted) throw new Failure('ABORTED', { cause: thrown })
    return 'unknown'
  }
}
