import type { Account, CaipNetworkId, ConnectorSummary, Namespace, Network } from '@postern/protocol'

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
  /** Survives reloads, so that a session is found again by it: rdns, or `injected:<namespace>`. */
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
