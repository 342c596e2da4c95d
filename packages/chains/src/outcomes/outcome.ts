import type { Clock } from '@postern/base/clock'
import type { Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Sent as SentBitcoin } from '../bip122/outcome'
import type { ChainClient } from '../chain-client'
import { outcomePoll, type Sent as SentEvm } from '../eip155/outcome'
import { pollUntil } from '../nodes/poll-until'
import type { Sent as SentSolana } from '../solana/outcome'
import type { OutcomePoll, OutcomePollOf, TransactionEnd } from './transaction-end'

export type { TransactionEnd }

type Sent = { readonly eip155: SentEvm; readonly solana: SentSolana; readonly bip122: SentBitcoin }
type SentOn<N extends Namespace> = { readonly [K in N]: { readonly namespace: K } & Sent[K] }[N]
export type SentByNamespace = SentOn<Namespace>

const polls: { readonly [N in Namespace]: OutcomePollOf<SentOn<N>> } = {
  eip155: outcomePoll,
  solana: loadedPoll(() => import('../solana/outcome')),
  bip122: loadedPoll(() => import('../bip122/outcome')),
}

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
  return polls[sent.namespace](client, sent)
}

function loadedPoll<S>(load: () => Promise<{ readonly outcomePoll: OutcomePollOf<S> }>): OutcomePollOf<S> {
  return (client, sent) => {
    const loaded = load().then(({ outcomePoll }) => outcomePoll(client, sent))
    // Each poll gets its rejection.
    loaded.catch(() => undefined)
    return async (signal) => (await loaded)(signal)
  }
}
