import type { Namespace } from '@postern/protocol'
import { lazily } from '../../services/lazily'
import type { SmartAccounts, WalletChain } from '../contract'

/** Each namespace's chain, once: what it remembers (the ids of sent calls, the nonces given out) lives as long as the frame. */
const chains: Readonly<Record<Namespace, () => Promise<WalletChain>>> = {
  eip155: lazily(async () => (await import('./eip155/chain')).createEip155Chain()),
  solana: lazily(async () => (await import('./solana')).solana),
  bip122: lazily(async () => (await import('./bip122')).bip122),
}

/** Rejects where the chunk does not load; the next call tries again. */
export function loadChain(namespace: Namespace): Promise<WalletChain> {
  return chains[namespace]()
}

/** The smart account's address and whether it stands on a chain. */
export const loadSmartAccounts: () => Promise<SmartAccounts> = lazily(
  async () => (await import('./eip155/smart-accounts')).smartAccounts,
)
