import * as z from 'zod/mini'
import { LinkFailure } from '../../link/failure'
import type { Clock } from '../../services/clock'
import type { JsonRpcClient } from '../../services/json-rpc'
import { parseAnswer } from '../ask-node'
import { untilEnded } from '../until-ended'
import { hasDurableNonce, statusOf } from './outcome'
import type { SolanaTransaction } from './transaction'

const Lifetime = z.object({ value: z.object({ lastValidBlockHeight: z.int() }) })

/**
 * Whether a transaction came to the chain that an endpoint was given and gave no answer to. Asked every 4 s, for 180 s and through six failures in a row (spec §9).
 *
 * 1. `taken` as soon as the chain knows it.
 * 2. `dropped` once no block can hold it any more, and the chain, asked once more after that, does not know it. Its own last block is not known here: that of the newest
 *    blockhash is no earlier. Heights are those of finalised blocks, so that a node which is behind the others makes it later, and never too early.
 * 3. `unknown` where nobody says; and with a durable nonce, which does not age.
 *
 * Rejects with ABORTED alone.
 */
export async function landing(
  rpc: JsonRpcClient,
  { signature, transaction }: { readonly signature: string; readonly transaction: SolanaTransaction },
  wait: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<'taken' | 'dropped' | 'unknown'> {
  const { signal } = wait
  const ask = (method: string, commitment: string) => rpc.request({ method, params: [{ commitment }] }, signal)
  const isKnown = async () => (await statusOf(rpc, signature, signal)) !== null
  let lastBlock: number | null = null

  async function look(): Promise<'taken' | 'dropped' | null> {
    if (await isKnown()) return 'taken'
    if (hasDurableNonce(transaction)) return null
    lastBlock ??= parseAnswer(Lifetime, await ask('getLatestBlockhash', 'processed')).value.lastValidBlockHeight
    if (parseAnswer(z.int(), await ask('getBlockHeight', 'finalized')) <= lastBlock) return null
    return (await isKnown()) ? 'taken' : 'dropped'
  }

  try {
    return await untilEnded(look, wait)
  } catch (thrown) {
    if (signal.aborted) throw new LinkFailure('ABORTED', { cause: thrown })
    return 'unknown'
  }
}
