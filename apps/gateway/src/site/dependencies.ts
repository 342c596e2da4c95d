/** What the HTTP surface needs from outside, by wing. */
import type { WalletEntry } from '@postern/protocol'
import type { Context, Hono } from 'hono'
import type { Auth } from '../accounts/auth'
import type { Farcaster } from '../accounts/farcaster/routes'
import type { WalletEnds } from '../accounts/shares/ends'
import type { WalletStore } from '../accounts/shares/store'
import type { SiwxRoutesOptions } from '../accounts/siwx/routes'
import type { SignIns } from '../accounts/siwx/siwx'
import type { Flows } from '../accounts/social/flows'
import type { ProvidersOf } from '../accounts/social/provider'
import type { BlockchainConfig } from '../chains/blockchain/config'
import type { PublicFetch } from '../chains/blockchain/remote/public-fetch'
import type { OperationBudgets } from '../chains/bundler/budgets'
import type { AccountAbstraction } from '../chains/bundler/config'
import type { Esplora } from '../chains/esplora/upstream'
import type { Database } from '../platform/db/open'
import type { Files } from '../platform/html/files'
import type { Limiter, Taken } from '../platform/limits/limiter'
import type { Log } from '../platform/log/log'
import type { Metrics } from '../platform/metrics/metrics'
import type { GatewayNetwork } from '../platform/upstreams/gateway-network'
import type { RelayingUpstreams } from '../platform/upstreams/rpc'
import type { CallRates } from '../projects/caller-limit'
import type { KeysOfProjects } from '../projects/keys'
import type { ProjectStore } from '../projects/store'
import type { Analytics } from './analytics/store'

export type Dependencies = {
  readonly platform: Platform
  readonly projects: Projects
  readonly accounts: Accounts
  readonly chains: Chains
  readonly site: Site
}

export type Platform = {
  readonly production: boolean
  readonly version: string
  readonly modalOrigin: string
  readonly walletOrigin: string
  readonly log: Log
  readonly onRequest?: Metrics['onRequest'] | undefined
  /** Monotonic, in ms. */
  readonly clock: () => number
  /** Epoch ms. */
  readonly now: () => number
  readonly stopping: AbortSignal
  readonly database: Pick<Database, 'ping' | 'orm'>
  readonly fetch: typeof globalThis.fetch
  /** Replicas share its counts. */
  readonly limiter: Limiter<Taken>
  readonly callRates: CallRates
  /** For rate limits. */
  readonly clientAddress: (context: Context) => string
  /** The full IP address, for on-ramps. */
  readonly clientIp: (context: Context) => string
  /** By the operator's proxy, in ISO 3166-1 alpha-2. */
  readonly region: (context: Context) => string | null
}

export type Projects = {
  readonly projects: ProjectStore
  readonly projectKeys: KeysOfProjects
}

export type Accounts = {
  readonly auth: Auth
  readonly wallets: WalletStore
  readonly walletEnds: WalletEnds
  readonly signIns: SignIns
  /** Default: as in `accounts/siwx/routes.ts`. */
  readonly recheckRates?: SiwxRoutesOptions['recheckRates']
  readonly flows: Flows
  readonly providersOf: ProvidersOf
  readonly farcaster: Farcaster | null
  /** For long polls, in ms. */
  readonly waiting?: { readonly timeout: number; readonly interval: number }
}

export type Chains = {
  readonly networks: readonly GatewayNetwork[]
  readonly upstreams: RelayingUpstreams
  readonly esplora: Esplora
  readonly blockchain: BlockchainConfig
  readonly accountAbstraction: AccountAbstraction
  readonly operationBudgets: OperationBudgets
  /** The only fetch for untrusted URLs, such as pictures of NFTs and names. */
  readonly fetchPublic: PublicFetch
  readonly fetchForNames: PublicFetch
}

export type Site = {
  readonly directory: {
    readonly routes: Hono
    readonly recommended: readonly WalletEntry[]
    readonly count: number
    readonly hasTokenImage: (symbol: string) => boolean
  }
  readonly analytics: Pick<Analytics, 'take'>
  readonly relayUrl: string
  /** `gateway dev`: the wallet trusts pages of this machine. */
  readonly trustsLoopback: boolean
  /** URIs, the preferred one first. */
  readonly securityContacts: readonly string[]
  readonly modalFiles: Files
  readonly walletFiles: Files
  readonly sdkFiles: Files
  readonly staticFiles: Files
}
