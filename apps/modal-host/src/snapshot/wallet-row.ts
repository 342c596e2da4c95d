import type { ConnectorGroup, Namespace, WalletEntry } from '@postern/protocol'

export type WalletRow = {
  /** Stable across reloads: `rdns`, directory id, `standard:<name>`, `injected:<what>`, `walletConnect`. */
  readonly id: string
  readonly name: string
  readonly group: ConnectorGroup
  /** `data:` URI, or path of the directory's image. */
  readonly imageUrl?: string
  /** One per namespace; several make a MULTI_CHAIN wallet. Empty if the wallet is not in the page. */
  readonly connectors: readonly { readonly connectorId: string; readonly namespace: Namespace }[]
  /** Reachable by WalletConnect; without an `entry`, WalletConnect itself. */
  readonly walletConnect?: true
  readonly entry?: WalletEntry
}

export function isInstalled({ connectors }: Pick<WalletRow, 'connectors'>): boolean {
  return connectors.length > 0
}
