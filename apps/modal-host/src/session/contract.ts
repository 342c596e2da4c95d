/**
 * What the views see of the host: one immutable snapshot to render and a set of actions to call.
 * Views are functions of {@link HostSnapshot}; every effect lives behind {@link HostActions}.
 */
import type {
  CaipNetworkId,
  Connection,
  ErrorCode,
  Metadata,
  Namespace,
  Network,
  Theme,
  ThemeMode,
  ViewName,
  WalletEntry,
} from '@postern/protocol'
import type { StoreApi } from 'zustand/vanilla'

/** The groups of the wallet list in the order of spec §2; `walletConnect` and `external` fill when their connectors exist. */
export type ConnectorGroup =
  | 'walletConnect'
  | 'recent'
  | 'injected'
  | 'featured'
  | 'custom'
  | 'external'
  | 'recommended'

/** One row of the Connect view. */
export type WalletRow = {
  /** Stable over reloads: `rdns`, directory id, or `injected:<namespace>`. */
  readonly id: string
  readonly name: string
  readonly group: ConnectorGroup
  /** `data:` URI of a page wallet, or a path of the directory's image. */
  readonly imageUrl?: string
  /** Present when the wallet is in the page: it can be connected at once. One per namespace. */
  readonly connectors: readonly { readonly connectorId: string; readonly namespace: Namespace }[]
  /** The directory's entry where there is one: install links and the like. */
  readonly entry?: WalletEntry
}

/** Connecting one wallet, as ConnectingExternal shows it. */
export type ConnectAttempt = {
  readonly row: WalletRow
  readonly status:
    | { readonly kind: 'waiting' }
    /** The wallet already shows a request (-32002), or it may be locked: the visitor has to look there. */
    | { readonly kind: 'pendingInWallet' }
    | { readonly kind: 'declined' }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
    /** The wallet is not in this page: show where to get it. */
    | { readonly kind: 'notInstalled' }
    | { readonly kind: 'connected' }
  /** Epoch ms from which a retry is allowed (1 s after a failure, spec §9). */
  readonly retryAt: number
}

/** Switching the network, as Networks and UnsupportedChain show it. */
export type SwitchAttempt = {
  readonly networkId: CaipNetworkId
  readonly status:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'declined' }
    | { readonly kind: 'failed'; readonly message: string }
}

export type NativeBalance =
  | { readonly kind: 'loading' }
  /** `formatted` follows spec §9: rounded down to 3 decimals; `'0.00'` on test networks and unsupported ones. */
  | { readonly kind: 'ready'; readonly formatted: string; readonly symbol: string }
  | { readonly kind: 'failed' }

/** A short message at the foot of the card; shown again after 150 ms when the same one repeats (spec §9). */
export type Snackbar = { readonly key: number; readonly tone: 'neutral' | 'good' | 'bad'; readonly text: string }

/** An alert of spec §8 over the view: something the dapp's developer or visitor must mend. */
export type Alert = { readonly code: ErrorCode; readonly title: string; readonly text: string }

export type HostSnapshot = {
  /** False until the page's `init` arrived. */
  readonly ready: boolean
  /** Set when this page was opened by itself instead of in a dapp: there is nobody to connect for, and the page says so. */
  readonly topLevel?: true
  readonly open: boolean
  /** The view asked for when the modal opened; `key` changes with each opening, so the router can follow. */
  readonly opening: { readonly key: number; readonly view: ViewName | 'UnsupportedChain' }
  /** Grows with each refused close: the card shakes for 500 ms. */
  readonly refusedCloses: number
  readonly themeMode: ThemeMode
  readonly theme: Theme
  readonly locale: string
  readonly metadata: Metadata | null
  readonly networks: readonly Network[]
  readonly activeNetworkId: CaipNetworkId | null
  readonly connections: { readonly [N in Namespace]?: Connection }
  /** Ordered by group (spec §2), deduplicated over page and directory. */
  readonly wallets: readonly WalletRow[]
  /** All wallets that the directory knows for the configured namespaces; null until counted. */
  readonly directoryCount: number | null
  readonly connectAttempt: ConnectAttempt | null
  readonly switchAttempt: SwitchAttempt | null
  readonly nativeBalance: NativeBalance
  readonly snackbar: Snackbar | null
  readonly alert: Alert | null
}

export type HostActions = {
  /** Refused (and the card shakes) while closing is disabled. */
  close(): void
  /** Begins an attempt; the snapshot's `connectAttempt` tells how it goes. A later attempt ends an earlier one. */
  connect(row: WalletRow, namespace?: Namespace): void
  retryConnect(): void
  cancelConnect(): void
  /** All namespaces when none is named. A failure shows 'Failed to disconnect'. */
  disconnect(namespace?: Namespace): Promise<void>
  /**
   * Disconnected: sets the active network. Connected: asks the wallet, and adds the chain where the wallet lacks it.
   * Rejects when it did not switch; `switchAttempt` says how it went.
   */
  switchNetwork(networkId: CaipNetworkId): Promise<void>
  refreshBalance(): void
  notify(text: string, tone?: Snackbar['tone']): void
  dismissAlert(): void
}

/** The wallet directory as the AllWallets view asks it: the host adds the networks and the dapp's include and exclude lists. */
export type HostDirectory = {
  /** One page of 40 from page 1, or the first 100 that match `search` (spec §9). `count` is of all that match. */
  wallets(
    query: { readonly page?: number; readonly search?: string },
    signal?: AbortSignal,
  ): Promise<{ readonly wallets: readonly WalletEntry[]; readonly count: number }>
  imageUrl(entry: WalletEntry): string | undefined
}

export type Host = {
  readonly store: StoreApi<HostSnapshot>
  readonly actions: HostActions
  readonly directory: HostDirectory
}
