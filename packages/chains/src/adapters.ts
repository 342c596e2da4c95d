import type { Namespace } from '@postern/protocol'
import type { ChainAdapter } from './adapter'

const adapters: { readonly [N in Namespace]: () => Promise<{ readonly adapter: ChainAdapter }> } = {
  eip155: () => import('./eip155/adapter'),
  solana: () => import('./solana/adapter'),
  bip122: () => import('./bip122/adapter'),
}

export async function loadAdapter(namespace: Namespace): Promise<ChainAdapter> {
  return (await adapters[namespace]()).adapter
}
