import type { Account, CaipNetworkId, Connection, ConnectorSummary, Namespace, Network } from '@postern/protocol'
import type { HostSnapshot } from '../snapshot/contract'

export type Held = {
  readonly namespace: Namespace
  /** To show and to receive: not the ordinals account if there is another. */
  readonly account: Account
  readonly accounts: readonly Account[]
  readonly connector: ConnectorSummary | null
  readonly networkId: CaipNetworkId | null
  /** Not supported by the dapp (spec §4). */
  readonly unsupported: boolean
}

type Connected = Pick<HostSnapshot, 'connections' | 'activeNetworkId'>

export function allHeld({ connections }: Pick<HostSnapshot, 'connections'>): readonly Held[] {
  return Object.values(connections).flatMap((connection) => toHeld(connection) ?? [])
}

/** The active namespace's, else the first. */
export function heldOf({ connections, activeNetworkId }: Connected): Held | null {
  const held = allHeld({ connections })
  const namespace = activeNetworkId?.split(':')[0]
  return held.find((one) => one.namespace === namespace) ?? held[0] ?? null
}

function toHeld(connection: Connection | undefined): Held | null {
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

/** The embedded wallet's connection. */
export function isEmbedded({ connector }: Pick<Held, 'connector'>): boolean {
  return connector?.type === 'AUTH' || connector?.type === 'ID_AUTH'
}

/** The connection's, else the dapp's active network. */
export function currentNetwork(snapshot: Connected & Pick<HostSnapshot, 'networks'>): Network | null {
  const id = heldOf(snapshot)?.networkId ?? snapshot.activeNetworkId
  return snapshot.networks.find(({ caipNetworkId }) => caipNetworkId === id) ?? null
}
