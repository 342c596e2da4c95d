import {
  type Account,
  type CaipNetworkId,
  type Namespace,
  signInProviderNames,
  type WalletUser,
} from '@postern/protocol'
import type { WalletSession } from '../connector'
import type { EmbeddedAccountType } from './stored'

export type EvmAccount = { readonly address: string; readonly type: EmbeddedAccountType }

/** The user's accounts on the requested chain, the preferred one first. */
export function evmAccounts(user: WalletUser): readonly [EvmAccount, ...EvmAccount[]] {
  const preferred = user.preferredAccountType ?? 'eoa'
  const all = user.accounts ?? []
  const [first = { address: user.address, type: preferred }, ...others] = [
    ...all.filter(({ type }) => type === preferred),
    ...all.filter(({ type }) => type !== preferred),
  ]
  return [first, ...others]
}

/** The address of the key itself, which no chain or preference changes. */
export function stableIdOfUser(user: WalletUser): string {
  const { address } = evmAccounts(user).find(({ type }) => type === 'eoa') ?? { address: user.address }
  return `embedded:${address.toLowerCase()}`
}

export function nameOfUser({ provider = 'email' }: WalletUser): string {
  return provider === 'email' ? 'Email' : signInProviderNames[provider]
}

/** The number in `eip155:<number>`; undefined in other namespaces. */
export function evmChainId(id: CaipNetworkId): number | undefined {
  return id.startsWith('eip155:') ? Number(id.slice(id.indexOf(':') + 1)) : undefined
}

/** Whether its addresses are known: it exists, is not locked, and has not ended. */
export function isUsable(user: WalletUser): boolean {
  return user.locked === undefined && user.recoveryWanted === undefined && user.ended === undefined
}

/** Null without an account in the namespace (spec §6: eip155 eoa and smartAccount, solana eoa, bip122 payment). */
export function sessionOfUser(
  user: WalletUser,
  namespace: Namespace,
  networkId: CaipNetworkId,
  normalise: (address: string) => string,
): WalletSession | null {
  if (!isUsable(user)) return null
  const [first, ...others] = accountsOfUser(user, namespace, networkId).map((account) => ({
    ...account,
    address: normalise(account.address),
  }))
  return first === undefined ? null : { accounts: [first, ...others], networkId }
}

function accountsOfUser(user: WalletUser, namespace: Namespace, networkId: CaipNetworkId): readonly Account[] {
  if (namespace === 'eip155') return evmAccounts(user).map(({ address, type }) => ({ namespace, address, type }))
  if (namespace === 'solana') return user.solana === undefined ? [] : [{ namespace, address: user.solana, type: 'eoa' }]
  const here = user.bitcoin?.find((one) => one.networkId === networkId)
  return here === undefined ? [] : [{ namespace, address: here.address, type: 'payment', publicKey: here.publicKey }]
}
