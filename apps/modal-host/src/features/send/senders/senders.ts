import type { Namespace } from '@postern/protocol'
import type { Sender } from './sender'

const senders: { readonly [N in Namespace]: () => Promise<{ readonly sender: Sender }> } = {
  eip155: () => import('./eip155'),
  solana: () => import('./solana/sender'),
  bip122: () => import('./bip122'),
}

export async function loadSender(namespace: Namespace): Promise<Sender> {
  return (await senders[namespace]()).sender
}
