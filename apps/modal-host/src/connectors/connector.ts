import type { Clock } from '@postern/base/clock'
import type { ChainClient } from '@postern/chains/chain-client'
import type { ConfiguredNetwork, ConfiguredNetworks } from '@postern/chains/networks'
import type { Account, CaipNetworkId, ConnectorSummary, Namespace, PageParams, PageWallet } from '@postern/protocol'
import type { Failure } from '@postern/protocol/failure'
import type { RequestContext } from '../snapshot/approval'

export type WalletSession = {
  /** The active account first. */
  readonly accounts: readonly [Account, ...Account[]]
  readonly networkId: CaipNetworkId
}

/** An earlier visit's session, after asking its wallet. */
export type Restored =
  | { readonly kind: 'granted'; readonly session: WalletSession }
  | { readonly kind: 'ended' }
  /** The wallet could not be asked: the session may still exist. */
  | { readonly kind: 'unknown'; readonly failure: Failure }

export type ConnectorEvent =
  | { readonly kind: 'accounts'; readonly accounts: readonly Account[] }
  | { readonly kind: 'network'; readonly networkId: CaipNetworkId }
  | { readonly kind: 'disconnected' }

/** Kept until there is a listener. */
export type KeptEvents = {
  /** Calls the listener with past and later events. Returns its unsubscribe. */
  deliver(listener: (event: ConnectorEvent) => void): () => void
  drop(): void
}

export type ConnectorCalls = {
  /**
   * Prompts the user. Rejects with USER_REJECTED, REQUEST_PENDING (already prompting) or the wallet's failure; null
   * without an account.
   */
  connect(signal: AbortSignal): Promise<WalletSession | null>
  /** Resumes an earlier visit's session, without a prompt. Rejects if the connector's code does not load. */
  reconnect(signal: AbortSignal): Promise<Restored>
  /** Revokes the grant if the wallet can. */
  disconnect(): Promise<void>
  /** Returns the wallet's network afterwards. CHAIN_NOT_SUPPORTED if it can neither switch nor add it (spec §8). */
  switchNetwork(network: ConfiguredNetwork, signal: AbortSignal): Promise<CaipNetworkId>
  request(method: string, params: unknown, signal: AbortSignal, context?: RequestContext): Promise<unknown>
  listen(listener: (event: ConnectorEvent) => void): () => void
}

export type Connector = ConnectorCalls &
  ConnectorSummary & {
    readonly namespace: Namespace
    /** Survives reloads: {@link stableIdOf} of a page wallet, `walletconnect:<topic>` of a session. */
    readonly stableId: string
  }

/** Connects several namespaces with one approval, such as WalletConnect. */
export type MultiConnector = {
  /** Prompts the user. Resolves with what was granted, never empty. */
  connect(options: {
    readonly row: WalletIdentity
    readonly namespaces: readonly Namespace[]
    readonly signal: AbortSignal
    readonly onPairing: (pairing: { readonly uri: string; readonly expiresAt: number } | null) => void
  }): Promise<readonly GrantedConnector[]>
  /** For a stored session. */
  restore(namespace: Namespace, stableId: string, identity: WalletIdentity): Connector
  /** Prepares a pairing. Never rejects. */
  prepare(): void
  readonly relay: {
    status(): 'unused' | 'connecting' | 'connected' | 'lost'
    subscribe(listener: () => void): () => void
  }
  end(): void
}

export type GrantedConnector = {
  readonly connector: Connector
  readonly session: WalletSession
  /** Events since before `session` was read; null if the connector emits none before it has a listener. */
  readonly events: KeptEvents | null
}

export type WalletIdentity = { readonly name: string; readonly imageUrl?: string }

export type WalletRequest = PageParams<'walletRequest'>
/** `timeout` in ms; omit it while waiting for a person. */
export type AskOptions = { readonly signal?: AbortSignal; readonly timeout?: number }
export type WalletEvent = { readonly wallet: string; readonly event: string; readonly data?: unknown }

export type PageConnectorDependencies = {
  /** `walletRequest` over the link, unparsed. Rejects with a Failure. */
  readonly ask: (request: WalletRequest, options: AskOptions) => Promise<unknown>
  readonly onWalletEvent: (listener: (event: WalletEvent) => void) => () => void
  readonly networks: ConfiguredNetworks
  /** The last one chosen in the namespace, otherwise the first configured one. */
  readonly preferredNetwork: () => CaipNetworkId
  readonly clientOf: (id: CaipNetworkId) => ChainClient
  readonly clock: Clock
}

export function stableIdOf(wallet: PageWallet): string {
  return wallet.rdns ?? wallet.key ?? `injected:${wallet.namespace}`
}
