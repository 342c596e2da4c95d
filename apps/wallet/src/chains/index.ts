import type { Namespace } from '@postern/protocol'
import { lazily } from '@postern/protocol/lazily'
import type { SmartAccounts, WalletChain } from '../contract'
import type { Notes } from './eip155/sent'

/**
 * Each namespace's chain, once: what it remembers lives as long as the frame, but for what EVM's keeps in `notes`, of sendings whose outcome is unknown.
 * Rejects where the chunk does not load; the next call tries again.
 */
export function createChains({ notes }: { readonly notes: Notes }): (namespace: Namespace) => Promise<WalletChain> {
  const chains: Readonly<Record<Namespace, () => Promise<WalletChain>>> = {
    eip155: lazily(async () => (await import('./eip155/chain')).createEip155Chain(notes)),
    solana: lazily(async () => (await import('./solana')).solana),
    bip122: lazily(async () => (await import('./bip122')).bip122),
  }
  return (namespace) => chains[namespace]()
}

/** The smart account's address and whether it stands on a chain. */
export const loadSmartAccounts: () => Promise<SmartAccounts> = lazily(
  async () => (await import('./eip155/smart-accounts')).smartAccounts,
)
