import type { CaipNetworkId } from '@postern/protocol'
import type { Esplora } from '../esplora/upstream'
import type { KnownNetwork } from './account'
import type { Holding } from './accounts/holding'
import type { Chain } from './chain'
import type { Page } from './history/landed'
import type { Collectible } from './nfts/holdings'
import type { SolanaCollectible } from './nfts/solana'
import type { TokenList } from './tokens'

/** How the accounts of a namespace are read. */
export type NamespaceReader = {
  /** Of a text that `isAddressOf` allows. */
  readonly isAccount: (address: string) => boolean
  readonly normalize: (address: string) => string
  /** Whether the address can be on that network of the namespace. */
  readonly isOn: (id: CaipNetworkId, address: string) => boolean
  readonly balances: (network: KnownNetwork, address: string, sources: BalanceSources) => Promise<Holding[]>
  readonly history: (
    network: KnownNetwork,
    address: string,
    cursor: string | null,
    sources: HistorySources,
  ) => Promise<Page>
  /** Without an indexer, the history of a network is read only if it is named. */
  readonly historyNeedsIndexer: boolean
  /** Null: no collectibles are read. */
  readonly collectibles:
    | ((network: KnownNetwork, address: string, sources: CollectibleSources) => Promise<AnyCollectible[]>)
    | null
}

export type BalanceSources = {
  readonly chain: Chain
  readonly esplora: Esplora
  readonly tokens: TokenList
  readonly scanBlocks: number
}

export type HistorySources = {
  readonly chain: Chain
  readonly esplora: Esplora
  readonly tokens: TokenList
  readonly indexers: ReadonlyMap<CaipNetworkId, string>
  readonly fetch: typeof globalThis.fetch
  /** Newest blocks to scan without an indexer. */
  readonly logBlocks: number
  /** Epoch milliseconds. */
  readonly now: () => number
}

export type CollectibleSources = {
  readonly chain: Chain
  /** Newest blocks to scan. */
  readonly logBlocks: number
  /** Reads from the network's DAS node; `otherwise` without one, or if it fails. */
  readonly readDas: <T>(id: CaipNetworkId, read: (node: Chain) => Promise<T>, otherwise: T) => Promise<T>
  /** Epoch milliseconds. */
  readonly now: () => number
}

export type AnyCollectible = Collectible | SolanaCollectible
