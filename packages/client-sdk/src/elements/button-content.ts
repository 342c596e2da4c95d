import { namespaces } from '@postern/protocol/namespaces'
import { isRestoring } from '../state/state'
import type { Connection, Network, Snapshot, ViewName } from '../types/index'
import { type Extras, noExtras, type ShownAccount } from './contract'

export type ButtonContent = {
  readonly text: string
  /** The full text. */
  readonly name?: string
  readonly kind: 'primary' | 'plain'
  readonly busy: boolean
  readonly mark?: 'dot' | { readonly imageUrl: string }
  readonly balance?: string | undefined
  readonly account?: ShownAccount
  readonly view?: ViewName
  readonly hidden?: boolean
}

export type Button = Extras & {
  readonly label: string | null
  /** Null: the active namespace. */
  readonly namespace: string | null
}

export type ContentOf = (snapshot: Snapshot, button: Button) => ButtonContent

export const connectContent: ContentOf = (snapshot, button) =>
  accountOf(snapshot, button) ?? connectOrBusy(snapshot, button)

export const accountContent: ContentOf = (snapshot, button) =>
  accountOf(snapshot, button) ?? { text: '', kind: 'plain', busy: false, hidden: true }

export const networkContent: ContentOf = (snapshot, { label, namespace, words }) => {
  const connection = active(snapshot, namespace)
  const id = connection?.status === 'connected' ? connection.networkId : snapshot.activeNetworkId
  const network = snapshot.networks.find(({ caipNetworkId }) => caipNetworkId === id)
  const view = 'Networks'
  if (network !== undefined)
    return {
      text: network.name,
      name: `${words.network}: ${network.name}`,
      kind: 'plain',
      busy: false,
      view,
      ...markOf(network),
    }
  const unknown = connection?.status === 'connected' && connection.unsupported === true
  return { text: unknown ? words.unsupportedNetwork : (label ?? words.selectNetwork), kind: 'plain', busy: false, view }
}

function markOf({ assets }: Network): { mark?: { imageUrl: string } } {
  const imageUrl = assets?.imageUrl
  return imageUrl?.startsWith('data:image/') === true ? { mark: { imageUrl } } : {}
}

function active({ connections, activeNetworkId }: Snapshot, only: string | null): Connection | undefined {
  const wanted = namespaces.filter((each) => only === null || each === only)
  const sorted = wanted.toSorted(
    (a, b) => Number(startsWith(activeNetworkId, b)) - Number(startsWith(activeNetworkId, a)),
  )
  const known = sorted.map((namespace) => connections[namespace])
  return known.find((connection) => connection?.status === 'connected') ?? known.find(isRestoring)
}

function startsWith(id: string | null, namespace: string): boolean {
  return id?.startsWith(`${namespace}:`) === true
}

function accountOf(snapshot: Snapshot, button: Button): ButtonContent | undefined {
  const connection = active(snapshot, button.namespace)
  if (connection === undefined || connection.status === 'disconnected') return undefined
  const { accounts: [account] = [], networkId } = connection
  if (account === undefined) return undefined
  const { namespace, address } = account
  const { words, details } = button
  const text = truncate(address)
  if (connection.status !== 'connected' || networkId === undefined)
    return { text, name: `${words.connecting} ${address}`, kind: 'plain', busy: true, mark: 'dot' }
  const { name, avatar, balance } = details.key === `${networkId}:${address}` ? details : noExtras.details
  return {
    text: name ?? text,
    name: [words.account, name, address, balance].filter(Boolean).join(' '),
    kind: 'plain',
    busy: false,
    mark: avatar === undefined ? 'dot' : { imageUrl: avatar },
    balance,
    account: { namespace, address, networkId },
  }
}

function connectOrBusy({ connections, phase, open }: Snapshot, { label, words }: Button): ButtonContent {
  const busy =
    Object.values(connections).some((connection) => connection?.status === 'connecting') ||
    (open && phase === 'loading')
  return {
    text: label ?? (busy ? words.connecting : words.connect),
    kind: 'primary',
    busy,
    ...(busy && { mark: 'dot' }),
  }
}

/** Spec §9. */
export function truncate(address: string): string {
  return address.length <= 12 ? address : `${address.slice(0, 4)}…${address.slice(-6)}`
}
