import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import type { JsonRpcClient } from '../json-rpc'
import { untilEnded } from '../until-ended'
import { expiryOf, statusOf } from './outcome'

/**
 * Whether a transaction came to the chain that an endpoint was given and gave no answer to. Asked every 4 s, for 180 s and through six failures in a row (spec §9).
 *
 * 1. `taken` as soon as the chain knows it.
 * 2. `dropped` once no block can hold it any more ({@link expiryOf}), and the chain, asked once more after that, does not know it.
 * 3. `unknown` where nobody says; and with a durable nonce, which does not age.
 *
 * Rejects with ABORTED alone.
 */
export async function landing(
  rpc: JsonRpcClient,
  { signature, transaction }: { readonly signature: string; readonly transaction: string },
  wait: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<'taken' | 'dropped' | 'unknown'> {
  const { signal } = wait
  const isKnown = async () => (await statusOf(rpc, signature, signal)) !== null
  const isTooOld = expiryOf(rpc, transaction)

  async function look(): Promise<'taken' | 'dropped' | null> {
    if (await isKnown()) return 'taken'
    if (!(await isTooOld(signal))) return null
    return (await isKnown()) ? 'taken' : 'dropped'
  }

  try {
    return await untilEnded(look, wait)
  } catch (thrown) {
    if (signal.aborted) throw new Failure('ABORTED', { cause: thrown })
    return 'unknown'
  }
}
