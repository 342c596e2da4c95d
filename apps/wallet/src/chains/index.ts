import { onceLoaded } from '@postern/base/once-loaded'
import type { WalletNamespace } from '@postern/protocol/namespaces'
import type { SmartAccounts, WalletChain } from '../contract'
import type { Notes } from './notes'

/** State lasts as long as the frame, `notes` longer. Rejects if a chunk does not load; the next call retries. */
export function createChains({
  notes,
}: {
  readonly notes: (namespace: WalletNamespace) => Notes
}): (namespace: WalletNamespace) => Promise<WalletChain> {
  const chains: Readonly<Record<WalletNamespace, () => Promise<WalletChain>>> = {
    eip155: onceLoaded(async () => (await import('./eip155/chain')).createEip155Chain(notes('eip155'))).load,
    solana: onceLoaded(async () => (await import('./solana/chain')).createSolanaChain(notes('solana'))).load,
    bip122: onceLoaded(async () => (await import('./bip122/chain')).createBip122Chain(notes('bip122'))).load,
  }
  return (namespace) => chains[namespace]()
}

export const { load: loadSmartAccounts } = onceLoaded(
  async (): Promise<SmartAccounts> => (await import('./eip155/account/smart-accounts')).smartAccounts,
)
