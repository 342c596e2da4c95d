/** Shared by discovery and lazy adapters. */
import type { PageWallet } from '@postern/protocol'
import type { StandardNamespace } from '@postern/protocol/namespaces'
import type { Methods, WalletProvider } from '../discovery/wallet-provider'
import type { ProviderOptions } from '../providers/options'
import type { Account, Postern, Snapshot } from '../types/index'
import type { Identity } from './eip155/announce'

/** Bitcoin wallets on the window. */
export type InjectedKind = 'satsConnect' | 'leather' | 'unisat' | 'okx' | 'phantom'

export type Source = {
  readonly kind: `${StandardNamespace}Standard` | InjectedKind
  readonly source: object
}

export type Injected = Source & Pick<PageWallet, 'name' | 'icon' | 'key' | 'networks' | 'methods'>

export type Finder = {
  readonly kind: Source['kind']
  /** Empty if the wallet cannot connect. */
  readonly methods: (has: (feature: string) => boolean) => Methods
  readonly injected?: (window: object) => readonly Injected[]
  /** Returns a stop function. */
  readonly announce?: (window: object, identity: Identity, load: () => Promise<Providers>) => () => void
}

/** Postern's own announcement. */
export type StandardFacts = {
  /** Prefix of `connect`, `disconnect` and `events`. */
  readonly scope: string
  /** Members of each signing feature besides its version and function. */
  readonly signing: Readonly<Record<string, object>>
  /**
   * Id prefixes of networks with a standard name. Whole ids (`namespaces/standard-chains.ts`) are a thirtieth of the
   * page's code.
   */
  readonly idPrefixes: Readonly<Record<string, string>>
}

/** `WalletAccount`. */
export type StandardAccount = {
  readonly address: string
  /** Bitcoin. Not in the standard, but other wallets have it. */
  readonly purpose?: string
  readonly publicKey: Uint8Array
  readonly chains: readonly string[]
  readonly features: readonly string[]
}

export type AccountOf = (address: unknown) => Promise<StandardAccount | undefined>

export type Input = Readonly<Record<string, unknown>>

export type Sign = (inputs: readonly Input[], accountOf: AccountOf) => Promise<object[]>

export type Providers = Pick<Postern, StandardNamespace> & {
  /** Never rejects: responses are JSON-RPC. */
  satsConnect(method: unknown, params: unknown): Promise<object>
  sign(feature: string, inputs: readonly unknown[], accountOf: AccountOf): Promise<object[]>
  /** `purposes`: Bitcoin's. */
  connect(namespace: StandardNamespace, silent: boolean, purposes?: readonly string[]): Promise<string[]>
  /** A key is empty if unknown. `chains`: standard names. */
  standardAccounts(
    namespace: StandardNamespace,
    accounts: readonly Account[],
    chains: readonly string[],
    features: readonly string[],
  ): readonly StandardAccount[]
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
  /** Default: since the call. */
  providers(earlier?: Snapshot): Promise<Providers>
  stop(): void
}
