import {
  type Account,
  type CaipNetworkId,
  type Namespace,
  signInProviderNames,
  type WalletUser,
} from '@postern/protocol'
import { isWalletNamespace, type WalletNamespace } from '@postern/protocol/namespaces'
import type { EmbeddedAccountType } from './stored'

export type EvmAccount = { readonly address: string; readonly type: EmbeddedAccountType }

/** On the requested chain, the preferred one first. */
export function evmAccounts(user: WalletUser): readonly [EvmAccount, ...EvmAccount[]] {
  const preferred = user.preferredAccountType ?? 'eoa'
  const all = user.accounts ?? []
  const [first = { address: user.address, type: preferred }, ...others] = [
    ...all.filter(({ type }) => type === preferred),
    ...all.filter(({ type }) => type !== preferred),
  ]
  return [first, ...others]
}

/** The key's own address, which no chain or preference changes. */
export function stableIdOfUser(user: WalletUser): string {
  const { address } = evmAccounts(user).find(({ type }) => type === 'eoa') ?? { address: user.address }
  return `embedded:${address.toLowerCase()}`
}

export function nameOfUser({ provider = 'email' }: WalletUser): string {
  return provider === 'email' ? 'Email' : signInProviderNames[provider]
}

export function evmChainId(id: CaipNetworkId): number | undefined {
  return id.startsWith('eip155:') ? Number(id.slice(id.indexOf(':') + 1)) : undefined
}

/** As the wallet's frame takes it. */
export function frameChainId(id: CaipNetworkId): number | CaipNetworkId {
  return evmChainId(id) ?? id
}

export function isUsable(user: WalletUser): boolean {
  return user.locked === undefined && user.recoveryWanted === undefined && user.ended === undefined
}

/** How the frame reports a namespace's accounts (spec §6). */
type UserAccounts = {
  /** The frame reads the user for one network at a time. */
  readonly areOfOneNetwork: boolean
  /** The modal adds the checksums (EIP-55). */
  readonly haveChecksums: boolean
  accountsOn(user: WalletUser, networkId: CaipNetworkId): readonly Account[]
}

const userAccounts = {
  eip155: {
    areOfOneNetwork: true,
    haveChecksums: true,
    accountsOn: (user, networkId) =>
      evmChainId(networkId) === Number(user.chainId)
        ? evmAccounts(user).map(({ address, type }) => ({ namespace: 'eip155', address, type }))
        : [],
  },
  solana: {
    areOfOneNetwork: false,
    haveChecksums: false,
    accountsOn: ({ solana }) => (solana === undefined ? [] : [{ namespace: 'solana', address: solana, type: 'eoa' }]),
  },
  bip122: {
    areOfOneNetwork: false,
    haveChecksums: false,
    accountsOn: ({ bitcoin = [] }, networkId) =>
      bitcoin
        .filter((one) => one.networkId === networkId)
        .map(({ address, publicKey }) => ({ namespace: 'bip122', address, type: 'payment', publicKey })),
  },
} satisfies Record<WalletNamespace, UserAccounts>

/** The wallet has no key in the namespace. */
const noAccounts: UserAccounts = { areOfOneNetwork: false, haveChecksums: false, accountsOn: () => [] }

export function userAccountsIn(namespace: Namespace): UserAccounts {
  return isWalletNamespace(namespace) ? userAccounts[namespace] : noAccounts
}
