import type { Namespace } from '@postern/protocol'
import { lazily } from '@postern/protocol/lazily'
import type { SmartAccounts, WalletChain } from '../contract'
import type { Notes } from './notes'

/**
 * State lasts as long as the frame, except for the `notes` of what was sent. Rejects if the chunk does not load; the next
 * call retries.
 */
export function createChains({
  notes,
}: {
  readonly notes: (namespace: Namespace) => Notes
}): (namespace: Namespace) => Promise<WalletChain> {
  const chains: Readonly<Record<Namespace, () => Promise<WalletChain>>> = {
    eip155: lazily(async () => (await import('./eip155/chain')).createEip155Chain(notes('eip155'))),
    solana: lazily(async () => (await import('./solana/chain')).createSolanaChain(notes('solana'))),
    bip122: lazily(async () => (await import('./bip122/chain')).createBip122Chain(notes('bip122'))),
  }
  return (namespace) => chains[namespace]()
}

export const loadSmartAccounts: () => Promise<SmartAccounts> = lazily(
  async () => (await import('./eip155/smart-accounts')).smartAccounts,
)
