import type { CaipNetworkId, WalletAddresses, WalletFramePage } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { WalletNamespace } from '@postern/protocol/namespaces'
import * as z from 'zod/mini'
import type { EmbeddedAccountType, SmartAccounts } from '../contract'
import { walletNamespaceOf } from '../namespace-facts'
import type { Ladder } from '../storage/ladder'
import type { Networks } from './networks'

export type Reach = {
  readonly page: WalletFramePage
  readonly baseUrl: string
  readonly fetch: typeof fetch
}

export type WalletAccount = { readonly address: string; readonly type: EmbeddedAccountType }

export type Accounts = {
  preferred(networkId: CaipNetworkId): Promise<EmbeddedAccountType>
  /** @throws {Failure} CHAIN_NOT_SUPPORTED if the chain lacks it */
  prefer(networkId: CaipNetworkId, type: EmbeddedAccountType): Promise<void>
  /** The preferred one first. */
  evm(networkId: CaipNetworkId, addresses: WalletAddresses, signal: AbortSignal): Promise<readonly WalletAccount[]>
  own(networkId: CaipNetworkId, addresses: WalletAddresses, signal: AbortSignal): Promise<readonly WalletAccount[]>
  smartAccount(networkId: CaipNetworkId, addresses: WalletAddresses, signal: AbortSignal): Promise<string | null>
  isDeployed(networkId: CaipNetworkId, address: string, signal: AbortSignal): Promise<boolean>
  bitcoin(networkId: CaipNetworkId, addresses: WalletAddresses): Promise<string>
}

export type AccountsOptions = Reach & {
  readonly networks: Networks
  readonly ladder: Ladder
  readonly loadSmartAccounts: () => Promise<SmartAccounts>
  readonly loadBitcoinAddress: () => Promise<(publicKey: string, networkId: CaipNetworkId) => string>
}

/**
 * Two accounts on EVM chains with a bundler, one on every other.
 *
 * 1. Such a chain prefers smart accounts until the user chooses otherwise there (spec §6).
 * 2. The smart account's address is computed once: it is the same on every chain.
 */
export function createAccounts(options: AccountsOptions): Accounts {
  const { networks, ladder, loadSmartAccounts, loadBitcoinAddress, page, baseUrl, fetch } = options
  const store = async () => (await ladder.current()).store
  const deployed = new Set<string>()

  const accounts: Accounts = {
    async preferred(networkId) {
      if (!networks.hasSmartAccounts(networkId)) return 'eoa'
      const { accountTypes = {} } = await (await store()).preferences()
      return accountTypes[networkId] ?? 'smartAccount'
    },

    async prefer(networkId, type) {
      if (type === 'smartAccount' && !networks.hasSmartAccounts(networkId)) throw new Failure('CHAIN_NOT_SUPPORTED')
      await (await store()).updatePreferences((preferences) => ({
        ...preferences,
        accountTypes: { ...preferences.accountTypes, [networkId]: type },
      }))
    },

    async evm(networkId, addresses, signal) {
      const both = await accounts.own(networkId, addresses, signal)
      return (await accounts.preferred(networkId)) === 'eoa' ? both : both.toReversed()
    },

    own: (networkId, addresses, signal) => ownIn[walletNamespaceOf(networkId)](networkId, addresses, signal),

    async smartAccount(networkId, addresses, signal) {
      if (!networks.hasSmartAccounts(networkId)) return null
      const owner = addresses.eip155.toLowerCase()
      const { smartAccounts = {} } = await (await store()).preferences()
      const kept = Address.safeParse(smartAccounts[owner])
      if (kept.success) return kept.data
      const smart = await loadSmartAccounts()
      const address = await smart.address(addresses, { page, baseUrl, fetch, signal })
      await (await store()).updatePreferences((preferences) => ({
        ...preferences,
        smartAccounts: { ...preferences.smartAccounts, [owner]: address },
      }))
      return address
    },

    async isDeployed(networkId, address, signal) {
      const key = `${networkId}/${address}`
      if (deployed.has(key)) return true
      const smart = await loadSmartAccounts()
      const stands = await smart.isDeployed(address, { networkId, page, baseUrl, fetch, signal })
      if (stands) deployed.add(key)
      return stands
    },

    bitcoin: async (networkId, addresses) => (await loadBitcoinAddress())(addresses.bip122, networkId),
  }

  const ownIn = {
    async eip155(networkId, addresses, signal) {
      const plain: WalletAccount = { address: addresses.eip155, type: 'eoa' }
      const smart = await accounts.smartAccount(networkId, addresses, signal)
      return smart === null ? [plain] : [plain, { address: smart, type: 'smartAccount' }]
    },
    solana: async (_, { solana }) => [{ address: solana, type: 'eoa' }],
    bip122: async (networkId, addresses) => [{ address: await accounts.bitcoin(networkId, addresses), type: 'eoa' }],
  } satisfies Record<WalletNamespace, Accounts['own']>
  return accounts
}

const Address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
