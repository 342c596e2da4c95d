import type { Namespace } from '@postern/protocol'
import { lazily } from '@postern/protocol/lazily'
import type { SmartAccounts, WalletChain } from '../contract'
import type { Notes } from './eip155/sent'

/**
 * State lasts as long as the frame, except for the EVM `notes`. Rejects if the chunk does not load; the next call
 * retries.
 */
export function createChains({ notes }: { readonly notes: Notes }): (namespace: Namespace) => Promise<WalletChain> {
  const chains: Readonly<Record<Namespace, () => Promise<WalletChain>>> = {
    eip155: lazily(async () => (await import('./eip155/chain')).createEip155Chain(notes)),
    solana: lazily(async () => (await import('./solana')).solana),
    bip122: lazily(async () => (await import('./bip122')).bip122),
  }
  return (namespace) => chains[namespace]()
}

export const loadSmartAccounts: () => Promise<SmartAccounts> = lazily(
  async () => (await import('./eip155/smart-accounts')).smartAccounts,
)
