import type { CaipNetworkId, SignInMessage } from './types'

/** An account on one chain: what a session stands for. */
export type ChainAccount = { readonly chainId: CaipNetworkId; readonly address: string }

/**
 * Both must match. EVM addresses are hexadecimal, whose case is only a checksum (EIP-55); base58 and bech32 are compared as they are, because
 * in base58 another case is another account.
 */
export function isSameAccount(a: ChainAccount, b: ChainAccount): boolean {
  if (a.chainId !== b.chainId) return false
  return a.chainId.startsWith('eip155:') ? a.address.toLowerCase() === b.address.toLowerCase() : a.address === b.address
}

export const accountOf = ({ chainId, accountAddress }: SignInMessage): ChainAccount => ({
  chainId,
  address: accountAddress,
})

/** The very same sign-in. A wallet that signs on several chains at once does it with one nonce. */
export function isSameSignIn(a: SignInMessage, b: SignInMessage): boolean {
  return a.nonce === b.nonce && isSameAccount(accountOf(a), accountOf(b))
}
