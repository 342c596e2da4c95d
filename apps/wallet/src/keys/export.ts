import { byWalletNamespace } from '@postern/protocol/namespaces'
import type { ExportedKeys } from '../contract'
import { type OwnBytes, wipe } from './bytes'
import { namespaceKeys, type WalletKeys } from './derive'
import { mnemonicBytes } from './mnemonic'

/** In the formats of other wallets. */
export function exportOf({ entropy, keys }: { readonly entropy: OwnBytes; readonly keys: WalletKeys }): ExportedKeys {
  const words = mnemonicBytes(entropy)
  try {
    return {
      mnemonic: new TextDecoder().decode(words),
      ...byWalletNamespace((namespace) => namespaceKeys[namespace].exported(keys[namespace])),
    }
  } finally {
    wipe(words)
  }
}
