import type { Account, CaipNetworkId, Connection, ConnectorSummary, Namespace, Network } from '@postern/protocol'
import type { HostSnapshot } from '../snapshot/contract'

/** A connection that has an account to show: made, or being found again after a reload. */
export type Held = {
  readonly namespace: Namespace
  /** The one that is shown, and that money goes to: never that for ordinals, where the wallet gives another. */
  readonly account: Account
  readonly accounts: readonly Account[]
  readonly connector: ConnectorSummary | null
  readonly networkId: CaipNetworkId | null
  /** On a network that the dapp does not know (spec §4). */
  readonly unsupported: boolean
}

type Connected = Pick<HostSnapshot, 'connections' | 'activeNetworkId'>

/** Every connection with an account, at most one a namespace, in the order of the connections. */
export function allHeld({ connections }: Pick<HostSnapshot, 'connections'>): readonly Held[] {
  return Object.values(connections).flatMap((connection) => toHeld(connection) ?? [])
}

/** The one that Account is about: that of the active network's namespace, else the first. */
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

/** Of the wallet that one signs in to. */
export function isEmbedded({ connector }: Pick<Held, 'connector'>): boolean {
  return connector?.type === 'AUTH' || connector?.type === 'ID_AUTH'
}

/** The network that a visitor is on now: the connection's, or without one the dapp's active network. */
export function currentNetwork(snapshot: Connected & Pick<HostSnapshot, 'networks'>): Network | null {
  const id = heldOf(snapshot)?.networkId ?? snapshot.activeNetworkId
  return snapshot.networks.find(({ caipNetworkId }) => caipNetworkId === id) ?? null
}
