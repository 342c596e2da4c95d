import type { WalletAddresses } from '@postern/protocol'

/** EVM addresses ignore case. */
export function isSameWallet(one: WalletAddresses, other: WalletAddresses): boolean {
  return (
    one.eip155.toLowerCase() === other.eip155.toLowerCase() &&
    one.solana === other.solana &&
    one.bip122 === other.bip122
  )
}
