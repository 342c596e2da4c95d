import type { Account, CaipNetworkId, Connection, ConnectorSummary, Namespace, Network } from '@postern/protocol'
import type { HostSnapshot } from '../snapshot/contract'

export type ConnectedAccount = {
  readonly namespace: Namespace
  /** Shown and used to receive: not the ordinals account if there is another. */
  readonly account: Account
  readonly accounts: readonly Account[]
  readonly connector: ConnectorSummary | null
  readonly networkId: CaipNetworkId | null
  /** The dapp does not support the account's network (spec §4). */
  readonly unsupported: boolean
}

type Connected = Pick<HostSnapshot, 'connections' | 'activeNetworkId'>

export function connectedAccounts({ connections }: Pick<HostSnapshot, 'connections'>): readonly ConnectedAccount[] {
  return Object.values(connections).flatMap((connection) => toConnectedAccount(connection) ?? [])
}

/** The active namespace's account, else the first. */
export function activeAccount({ connections, activeNetworkId }: Connected): ConnectedAccount | null {
  const accounts = connectedAccounts({ connections })
  const namespace = activeNetworkId?.split(':')[0]
  return accounts.find((one) => one.namespace === namespace) ?? accounts[0] ?? null
}

function toConnectedAccount(connection: Connection | undefined): ConnectedAccount | null {
  if (connection === undefined || connection.status === 'disconnected') return null
  const accounts = connection.accounts ?? []
  const account = accounts.find(({ type }) => type !== 'ordinals') ?? accounts[0]
  if (account === undefined) return null
  return {
    namespace: account.namespace,
    account,
    accounts,
    connector: connection.connector ?? null,
    networkId: connection.networkId ?? null,
    unsupported: connection.status === 'connected' && connection.unsupported === true,
  }
}

export function isEmbedded({ connector }: Pick<ConnectedAccount, 'connector'>): boolean {
  return connector?.type === 'AUTH' || connector?.type === 'ID_AUTH'
}

/** The connection's network, else the dapp's active one. */
export function currentNetwork(snapshot: Connected & Pick<HostSnapshot, 'networks'>): Network | null {
  const id = activeAccount(snapshot)?.networkId ?? snapshot.activeNetworkId
  return snapshot.networks.find(({ caipNetworkId }) => caipNetworkId === id) ?? null
}
