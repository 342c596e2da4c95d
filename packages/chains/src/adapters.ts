import type { Namespace } from '@postern/protocol'
import type { ChainAdapter } from './adapter'
import { outcomePoll as eip155Outcome } from './eip155/outcome'
import type { OutcomePollOf } from './outcomes/transaction-end'

type ChainCode = {
  readonly adapter: () => Promise<{ readonly adapter: ChainAdapter }>
  readonly outcome: OutcomePollOf<never>
}

export const chainCode = {
  eip155: { adapter: () => import('./eip155/adapter'), outcome: eip155Outcome },
  solana: { adapter: () => import('./solana/adapter'), outcome: loadedPoll(() => import('./solana/outcome')) },
  bip122: { adapter: () => import('./bip122/adapter'), outcome: loadedPoll(() => import('./bip122/outcome')) },
} as const satisfies Readonly<Record<Namespace, ChainCode>>

export async function loadAdapter(namespace: Namespace): Promise<ChainAdapter> {
  return (await chainCode[namespace].adapter()).adapter
}

function loadedPoll<S>(load: () => Promise<{ readonly outcomePoll: OutcomePollOf<S> }>): OutcomePollOf<S> {
  return (client, sent) => {
    const loaded = load().then(({ outcomePoll }) => outcomePoll(client, sent))
    // Each poll awaits `loaded` and gets its rejection.
    loaded.catch(() => undefined)
    return async (signal) => (await loaded)(signal)
  }
}
