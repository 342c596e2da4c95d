import { isSameAddress } from '@postern/chains/same-address'
import type { WalletAddresses } from '@postern/protocol'
import { walletNamespaces } from '@postern/protocol/namespaces'
import { addressKey } from '@postern/protocol/namespaces/facts'

export function isSameWallet(one: WalletAddresses, other: WalletAddresses): boolean {
  return walletNamespaces.every((namespace) => isSameAddress(one[namespace], other[namespace]))
}

/** The addresses as lines of a text that binds a share or a key to the wallet. */
export function addressLines(addresses: WalletAddresses): readonly string[] {
  return walletNamespaces.map((namespace) => addressKey(namespace, addresses[namespace]))
}
