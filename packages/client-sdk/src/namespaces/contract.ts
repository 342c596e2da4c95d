/** Types that the discovery of Solana and Bitcoin wallets shares with the adapters, which load on first use. */
import type { PageWallet } from '@postern/protocol'
import type { WalletProvider } from '../discovery/wallet-provider'
import type { ProviderOptions } from '../providers/options'
import type { Account, BitcoinProvider, Snapshot, SolanaProvider } from '../types'
import type { InjectedKind } from './bip122/find'

export type Source = {
  readonly kind: 'solanaStandard' | 'bitcoinStandard' | InjectedKind
  readonly source: object
}

/** The Wallet Standard's `WalletAccount`. */
export type StandardAccount = {
  readonly address: string
  /** Of a Bitcoin account; beyond the standard, as other wallets have it. */
  readonly purpose?: string
  readonly publicKey: Uint8Array
  readonly chains: readonly string[]
  readonly features: readonly string[]
}

export type AccountOf = (address: unknown) => Promise<StandardAccount | undefined>

export type Providers = {
  readonly solana: SolanaProvider
  readonly bip122: BitcoinProvider
  /** Never rejects: responses are JSON-RPC. */
  satsConnect(method: unknown, params: unknown): Promise<object>
  /** `accountOf` finds a connected account of the announced wallet. */
  sign(feature: string, inputs: readonly unknown[], accountOf: AccountOf): Promise<object[]>
  /** Returns the shared addresses, for Bitcoin those of the given purposes. */
  connect(namespace: 'solana' | 'bip122', silent: boolean, purposes?: readonly string[]): Promise<string[]>
  /** As the Wallet Standard describes them; a key is empty if unknown. `chains` by their standard names. */
  standardAccounts(
    accounts: readonly Account[],
    chains: readonly string[],
    features: readonly string[],
  ): readonly StandardAccount[]
  /** For a caller that asked when `earlier` was current: its listeners get the changes since then. */
  since(earlier: Snapshot): Providers
  stop(): void
}

export type Adapters = {
  adapt(source: Source): WalletProvider
  createProviders(page: ProviderOptions, pageWallets: () => readonly PageWallet[], version: string): Providers
}

export type Namespaces = {
  list(): PageWallet[]
  get(id: string): WalletProvider | undefined
  /** Their listeners get the changes since `earlier`. Default: since the call. */
  providers(earlier?: Snapshot): Promise<Providers>
  stop(): void
}
