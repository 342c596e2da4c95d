import type { ChainClient } from '@postern/chains/chain-client'
import type { ConfiguredNetworks } from '@postern/chains/networks'
import type {
  Account,
  CaipNetworkId,
  ConnectorSummary,
  Namespace,
  Network,
  PageParams,
  PageWallet,
} from '@postern/protocol'

/** What a wallet granted in one namespace. */
export type WalletSession = {
  /** Never empty; the first one is active. */
  readonly accounts: readonly [Account, ...Account[]]
  readonly networkId: CaipNetworkId
}

export type ConnectorEvent =
  | { readonly kind: 'accounts'; readonly accounts: readonly Account[] }
  | { readonly kind: 'network'; readonly networkId: CaipNetworkId }
  | { readonly kind: 'disconnected' }

/** One way to reach a wallet in one namespace: plain data and functions, so that a new kind of wallet is a new factory. */
export type Connector = ConnectorSummary & {
  readonly namespace: Namespace
  /** Survives reloads, so that a session is found again by it: {@link stableIdOf} of a page wallet, `walletconnect:<topic>` of a session. */
  readonly stableId: string
  /**
   * Asks the visitor. Rejects with USER_REJECTED, REQUEST_PENDING (the wallet already asks), or the wallet's failure;
   * null when the wallet answered without an account, as locked ones do.
   */
  connect(signal: AbortSignal): Promise<WalletSession | null>
  /** What is still granted, without asking anybody; null when nothing is. */
  reconnect(signal: AbortSignal): Promise<WalletSession | null>
  /** Gives the grant back, as far as the wallet can. */
  disconnect(): Promise<void>
  /** Resolves with the network that the wallet is on afterwards. CHAIN_NOT_SUPPORTED when it can neither switch nor add (spec §8). */
  switchNetwork(network: Network, signal: AbortSignal): Promise<CaipNetworkId>
  /** A request that the wallet asks its owner about. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>
  listen(listener: (event: ConnectorEvent) => void): () => void
}

/**
 * A way to reach a wallet that answers for several namespaces at once: one approval, one session of each. WalletConnect is one.
 * `session/` makes a connection of every namespace that was granted.
 */
export type MultiConnector = {
  /** Asks the visitor. Settles with what was granted, never empty; the namespaces' own connectors then hold it. */
  connect(options: {
    readonly row: WalletIdentity
    readonly namespaces: readonly Namespace[]
    readonly signal: AbortSignal
    readonly onPairing: (pairing: { readonly uri: string; readonly expiresAt: number } | null) => void
  }): Promise<readonly GrantedConnector[]>
  /** The connector of one namespace's session as it was stored; it is found again by its `reconnect`. */
  restore(namespace: Namespace, stableId: string, identity: WalletIdentity): Connector
  /** Makes a pairing ahead of time. Never rejects. */
  prepare(): void
  /** `unused` until something of it is needed. */
  readonly relay: {
    status(): 'unused' | 'connecting' | 'connected' | 'lost'
    subscribe(listener: () => void): () => void
  }
  end(): void
}

export type GrantedConnector = { readonly connector: Connector; readonly session: WalletSession }

/** Who the visitor chose, before the wallet says it itself. */
export type WalletIdentity = { readonly name: string; readonly imageUrl?: string }

/* ---------------------------------------------------------------- wallets of the page */

export type WalletRequest = PageParams<'walletRequest'>
/** `timeout` in ms; without one a person is being waited for. */
export type AskOptions = { readonly signal?: AbortSignal; readonly timeout?: number }
export type WalletEvent = { readonly wallet: string; readonly event: string; readonly data?: unknown }

/** What the connector of a page wallet is made with, whatever its namespace. */
export type PageConnectorDependencies = {
  /** `walletRequest` over the link; what it answers is not parsed yet. Rejects with a Failure. */
  readonly ask: (request: WalletRequest, options: AskOptions) => Promise<unknown>
  /** Events of all page wallets: the connector picks its own. */
  readonly onWalletEvent: (listener: (event: WalletEvent) => void) => () => void
  readonly networks: ConfiguredNetworks
  /**
   * Where a session without a network of its own lands: the network that was chosen last in the connector's namespace, else the first that is
   * configured. Always a configured one.
   */
  readonly preferredNetwork: () => CaipNetworkId
  readonly clientOf: (id: CaipNetworkId) => ChainClient
}

/** Name under which a page wallet is found again after a reload. */
export function stableIdOf(wallet: PageWallet): string {
  return wallet.rdns ?? wallet.key ?? `injected:${wallet.namespace}`
}
