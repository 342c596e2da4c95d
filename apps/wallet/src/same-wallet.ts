import { isSameAddress } from '@postern/chains/same-address'
import type { WalletAddresses } from '@postern/protocol'
import { walletNamespaces } from '@postern/protocol/namespaces'

export function isSameWallet(one: WalletAddresses, other: WalletAddresses): boolean {
  return walletNamespaces.every((namespace) => isSameAddress(one[namespace], other[namespace]))
}
