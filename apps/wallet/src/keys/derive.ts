import type { WalletAddresses } from '@postern/protocol'
import { byWalletNamespace, type WalletNamespace } from '@postern/protocol/namespaces'
import { bip122Keys } from '../chains/bip122/keys/keys'
import { eip155Keys } from '../chains/eip155/keys/keys'
import { solanaKeys } from '../chains/solana/keys/keys'
import { type OwnBytes, wipe } from './bytes'
import type { NamespaceKeys } from './hd'
import { seedOf } from './mnemonic'

export const namespaceKeys: Readonly<Record<WalletNamespace, NamespaceKeys>> = {
  eip155: eip155Keys,
  solana: solanaKeys,
  bip122: bip122Keys,
}

export type WalletKeys = Readonly<Record<WalletNamespace, OwnBytes>>

/** The caller overwrites the keys: {@link wipeKeys}. */
export async function keysOf(entropy: Uint8Array): Promise<WalletKeys> {
  const seed = await seedOf(entropy)
  try {
    return byWalletNamespace((namespace) => namespaceKeys[namespace].derive(seed))
  } finally {
    wipe(seed)
  }
}

export function wipeKeys(keys: WalletKeys): void {
  wipe(...Object.values(keys))
}

export function addressesOf(keys: WalletKeys): WalletAddresses {
  return byWalletNamespace((namespace) => namespaceKeys[namespace].addressOf(keys[namespace]))
}
