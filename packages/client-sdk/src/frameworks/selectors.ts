import { namespaces } from '@postern/protocol/namespaces'
import type {
  Account,
  CaipNetworkId,
  Connection,
  ConnectorSummary,
  Namespace,
  NativeCurrency,
  Network,
  Snapshot,
} from '../types/index'

export type AccountState<N extends Namespace = Namespace> = {
  readonly status: Connection['status']
  readonly isConnected: boolean
  readonly address: Account<N>['address'] | undefined
  readonly account: Account<N> | undefined
  readonly accounts: readonly Account<N>[]
  readonly namespace: Namespace
  readonly networkId: CaipNetworkId | undefined
  readonly connector: ConnectorSummary | undefined
}

/** Default: the active namespace if connected, else the first connected one. */
export function accountOf<N extends Namespace>(snapshot: Snapshot, namespace?: N): AccountState<N> {
  const name = namespace ?? namespaceOf(snapshot)
  const connection: Connection = snapshot.connections[name] ?? { status: 'disconnected' }
  const { connector, networkId } = { connector: undefined, networkId: undefined, ...connection }
  const accounts = accountsOf(connection).filter((account): account is Account<N> => account.namespace === name)
  const [account] = accounts
  return {
    status: connection.status,
    isConnected: connection.status === 'connected',
    address: account?.address,
    account,
    accounts,
    namespace: name,
    networkId,
    connector,
  }
}

export type NetworkState = {
  readonly network: Network | undefined
  readonly networks: readonly Network[]
  readonly isUnsupported: boolean
}

/** Known once the modal has loaded or from an earlier visit. */
export function networkOf(snapshot: Snapshot): NetworkState {
  const { networks, activeNetworkId, connections } = snapshot
  const connection = connections[namespaceOf(snapshot)]
  const isUnsupported = connection?.status === 'connected' && connection.unsupported === true
  return { networks, isUnsupported, network: networks.find(({ caipNetworkId }) => caipNetworkId === activeNetworkId) }
}

export function currencyOf({ networks }: Snapshot, id: CaipNetworkId | undefined): NativeCurrency | undefined {
  return networks.find(({ caipNetworkId }) => caipNetworkId === id)?.nativeCurrency
}

function namespaceOf({ activeNetworkId, connections }: Snapshot): Namespace {
  const active = namespaces.find((each) => activeNetworkId?.startsWith(`${each}:`))
  const hasAccount = (each: Namespace) => accountsOf(connections[each]).length > 0
  return active !== undefined && hasAccount(active) ? active : (namespaces.find(hasAccount) ?? active ?? 'eip155')
}

function accountsOf(connection: Connection | undefined): readonly Account[] {
  return connection === undefined || connection.status === 'disconnected' ? [] : (connection.accounts ?? [])
}
