import type { Account, CaipNetworkId, Connection, ConnectorSummary, Network } from '@postern/protocol'
import type { HostSnapshot } from '../session/contract'

/** A connection that has an account to show: made, or being found again after a reload. */
export type Held = {
  readonly account: Account
  readonly connector: ConnectorSummary | null
  readonly networkId: CaipNetworkId | null
  /** On a network that the dapp does not know (spec §4). */
  readonly unsupported: boolean
}

/** The one that Account is about: that of the active network's namespace, else the first. */
export function heldOf({
  connections,
  activeNetworkId,
}: Pick<HostSnapshot, 'connections' | 'activeNetworkId'>): Held | null {
  const held = Object.values(connections).flatMap((connection) => toHeld(connection) ?? [])
  const namespace = activeNetworkId?.split(':')[0]
  return held.find(({ account }) => account.namespace === namespace) ?? held[0] ?? null
}

function toHeld(connection: Connection | undefined): Held | null {
  if (connection === undefined || connection.status === 'disconnected') return null
  const account = connection.accounts?.[0]
  if (account === undefined) return null
  return {
    account,
    connector: connection.connector ?? null,
    networkId: connection.networkId ?? null,
    unsupported: connection.status === 'connected' && connection.unsupported === true,
  }
}

/** The network that a visitor is on now: the connection's, or without one the dapp's active network. */
export function currentNetwork(
  snapshot: Pick<HostSnapshot, 'connections' | 'activeNetworkId' | 'networks'>,
): Network | null {
  const id = heldOf(snapshot)?.networkId ?? snapshot.activeNetworkId
  return snapshot.networks.find(({ caipNetworkId }) => caipNetworkId === id) ?? null
}
