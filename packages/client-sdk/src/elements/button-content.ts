import { isRestoring } from '../state'
import type { Connection, Network, Snapshot, ViewName } from '../types'
import { truncate } from './truncate'

export type ButtonContent = {
  readonly text: string
  /** Full text, if `text` is truncated. */
  readonly name?: string
  readonly kind: 'primary' | 'plain'
  readonly busy: boolean
  /** A dot never appears without text. */
  readonly mark?: 'dot' | { readonly imageUrl: string }
  /** Default: Account if connected, else Connect. */
  readonly view?: ViewName
  readonly hidden?: boolean
}

/** `namespace`: null for the active one. */
export type ContentOf = (snapshot: Snapshot, label: string | null, namespace: string | null) => ButtonContent

const order = ['eip155', 'solana', 'bip122'] as const

export const connectContent: ContentOf = (snapshot, label, namespace) =>
  accountOf(snapshot, namespace) ?? connectOrBusy(snapshot, label)

export const accountContent: ContentOf = (snapshot, _, namespace) =>
  accountOf(snapshot, namespace) ?? { text: '', kind: 'plain', busy: false, hidden: true }

export const networkContent: ContentOf = (snapshot, label, namespace) => {
  const connection = active(snapshot, namespace)
  const id = connection?.status === 'connected' ? connection.networkId : snapshot.activeNetworkId
  const network = snapshot.networks.find(({ caipNetworkId }) => caipNetworkId === id)
  const view = 'Networks'
  if (network !== undefined)
    return {
      text: network.name,
      name: `Network: ${network.name}`,
      kind: 'plain',
      busy: false,
      view,
      ...markOf(network),
    }
  const unknown = connection?.status === 'connected' && connection.unsupported === true
  return { text: unknown ? 'Unsupported network' : (label ?? 'Select network'), kind: 'plain', busy: false, view }
}

function markOf({ assets }: Network): { mark?: { imageUrl: string } } {
  const imageUrl = assets?.imageUrl
  return imageUrl?.startsWith('data:image/') === true ? { mark: { imageUrl } } : {}
}

function active({ connections, activeNetworkId }: Snapshot, only: string | null): Connection | undefined {
  const wanted = order.filter((each) => only === null || each === only)
  const namespaces = wanted.toSorted(
    (a, b) => Number(startsWith(activeNetworkId, b)) - Number(startsWith(activeNetworkId, a)),
  )
  const known = namespaces.map((namespace) => connections[namespace])
  return known.find((connection) => connection?.status === 'connected') ?? known.find(isRestoring)
}

function startsWith(id: string | null, namespace: string): boolean {
  return id?.startsWith(`${namespace}:`) === true
}

function accountOf(snapshot: Snapshot, namespace: string | null): ButtonContent | undefined {
  const connection = active(snapshot, namespace)
  if (connection === undefined || connection.status === 'disconnected') return undefined
  const address = connection.accounts?.[0]?.address
  if (address === undefined) return undefined
  const busy = connection.status !== 'connected'
  return {
    text: truncate(address),
    name: busy ? `Connecting ${address}` : `Account ${address}`,
    kind: 'plain',
    busy,
    mark: 'dot',
  }
}

function connectOrBusy({ connections, phase, open }: Snapshot, label: string | null): ButtonContent {
  const busy =
    Object.values(connections).some((connection) => connection?.status === 'connecting') ||
    (open && phase === 'loading')
  return {
    text: label ?? (busy ? 'Connecting…' : 'Connect wallet'),
    kind: 'primary',
    busy,
    ...(busy && { mark: 'dot' }),
  }
}
