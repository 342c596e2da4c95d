import { isSameAddress } from '@postern/chains/same-address'
import { namespaces, type WalletAddresses } from '@postern/protocol'

export function isSameWallet(one: WalletAddresses, other: WalletAddresses): boolean {
  return namespaces.every((namespace) => isSameAddress(one[namespace], other[namespace]))
}
