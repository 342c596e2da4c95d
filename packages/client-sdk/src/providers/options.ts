import type { WalletProvider } from '../page-wallets/discovery'
import type { CaipNetworkId, Connection, Namespace, Snapshot } from '../types'

/** What a provider of any namespace needs of the instance. */
export type ProviderOptions = {
  readonly getSnapshot: () => Snapshot
  readonly subscribe: (listener: () => void) => () => void
  /** Opens Connect for the namespace; settles with the connection. */
  readonly connect: (namespace: Namespace) => Promise<Connection>
  readonly disconnect: (namespace: Namespace) => Promise<void>
  readonly switchNetwork: (network: string) => Promise<void>
  /** Asks the host. */
  readonly rpc: (request: {
    namespace: Namespace
    method: string
    params: unknown
    networkId: CaipNetworkId | undefined
  }) => Promise<unknown>
  /** A wallet of the page; undefined when there is none of that id, or no longer. */
  readonly wallet: (id: string) => WalletProvider | undefined
  /** Resolves once the networks are known and no restored connection of the namespace waits for its confirmation. */
  readonly settled: (namespace: Namespace) => Promise<unknown>
}
