import { namespaceOf } from '@postern/protocol/namespaces'
import { isSameAddressIn } from '@postern/protocol/namespaces/facts'
import type { CaipNetworkId, SignInMessage } from './types'

export type ChainAccount = { readonly chainId: CaipNetworkId; readonly address: string }

export function isSameAccount(a: ChainAccount, b: ChainAccount): boolean {
  return a.chainId === b.chainId && isSameAddressIn(namespaceOf(a.chainId), a.address, b.address)
}

export const accountOf = ({ chainId, accountAddress }: SignInMessage): ChainAccount => ({
  chainId,
  address: accountAddress,
})

/** One nonce may cover several chains. */
export function isSameSignIn(a: SignInMessage, b: SignInMessage): boolean {
  return a.nonce === b.nonce && isSameAccount(accountOf(a), accountOf(b))
}
