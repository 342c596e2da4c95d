import type { Namespace } from '@postern/protocol'
import type { SendWay } from './way'

const ways: { readonly [N in Namespace]: () => Promise<{ readonly way: SendWay }> } = {
  eip155: () => import('./eip155'),
  solana: () => import('./solana'),
  bip122: () => import('./bip122'),
}

export async function loadWay(namespace: Namespace): Promise<SendWay> {
  return (await ways[namespace]()).way
}
