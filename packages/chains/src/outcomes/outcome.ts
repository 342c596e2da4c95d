import type { Clock } from '@postern/base/clock'
import type { Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { chainCode } from '../adapters'
import type { ChainClient } from '../chain-client'
import { pollUntil } from '../nodes/poll-until'
import type { OutcomePoll, OutcomePollOf, TransactionEnd } from './transaction-end'

export type { TransactionEnd }

type SentOn<N extends Namespace> = {
  readonly [K in N]: { readonly namespace: K } & Parameters<(typeof chainCode)[K]['outcome']>[1]
}[N]
export type SentByNamespace = SentOn<Namespace>

const code: { readonly [N in Namespace]: { readonly outcome: OutcomePollOf<SentOn<N>> } } = chainCode

type Wait = { readonly clock: Clock; readonly signal: AbortSignal }

/** Polls as {@link pollUntil}, then `unknown`: it may still be included. Rejects only with ABORTED. */
export async function followTransaction(
  client: ChainClient,
  sent: SentByNamespace,
  wait: Wait,
): Promise<TransactionEnd | { readonly kind: 'unknown'; readonly hash: string }> {
  const poll = createOutcomePoll(client, sent)
  try {
    return await pollUntil(() => poll(wait.signal), wait)
  } catch (thrown) {
    if (wait.signal.aborted) throw new Failure('ABORTED', { cause: thrown })
    return { kind: 'unknown', hash: sent.hash }
  }
}

export function createOutcomePoll<N extends Namespace>(client: ChainClient, sent: SentOn<N>): OutcomePoll {
  return code[sent.namespace].outcome(client, sent)
}
