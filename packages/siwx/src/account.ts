import type { CaipNetworkId, SignInMessage } from './types'

export type ChainAccount = { readonly chainId: CaipNetworkId; readonly address: string }

/** EVM ignores case, a mere checksum (EIP-55); in base58 another case is another account. */
export function isSameAccount(a: ChainAccount, b: ChainAccount): boolean {
  if (a.chainId !== b.chainId) return false
  return a.chainId.startsWith('eip155:') ? a.address.toLowerCase() === b.address.toLowerCase() : a.address === b.address
}

export const accountOf = ({ chainId, accountAddress }: SignInMessage): ChainAccount => ({
  chainId,
  address: accountAddress,
})

/** One nonce may cover several chains. */
export function isSameSignIn(a: SignInMessage, b: SignInMessage): boolean {
  return a.nonce === b.nonce && isSameAccount(accountOf(a), accountOf(b))
}
