import type { WalletProvider } from '../discovery/wallet-provider'
import type { CaipNetworkId, Connection, Namespace, Snapshot } from '../types/index'

export type ProviderOptions = {
  readonly getSnapshot: () => Snapshot
  readonly subscribe: (listener: () => void) => () => void
  /** Opens Connect. */
  readonly connect: <N extends Namespace>(namespace: N) => Promise<Connection<N>>
  readonly disconnect: (namespace: Namespace) => Promise<void>
  readonly switchNetwork: (network: string) => Promise<void>
  readonly rpc: (request: {
    namespace: Namespace
    method: string
    params: unknown
    networkId: CaipNetworkId | undefined
  }) => Promise<unknown>
  readonly wallet: (id: string) => WalletProvider | undefined
  /** Resolves when networks are known and the wallet of an earlier session has been asked, or is `reconnecting`. */
  readonly settled: (namespace: Namespace) => Promise<unknown>
}
