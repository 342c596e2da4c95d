import { namespaces } from '@postern/protocol/namespaces'
import { isCaipNetworkId, namespaceFacts } from '@postern/protocol/namespaces/facts'
import type { Account, Connection, Connections, Namespace, Snapshot } from '../types/index'

/** What a server renders. */
export type InitialState = Partial<Pick<Snapshot, 'activeNetworkId' | 'connections'>>

const types = ['eoa', 'payment', 'smartAccount', 'ordinals'] as const
const maxAgeSeconds = 60 * 60 * 24 * 365

const nameOf = (projectId: string) => `postern.${encodeURIComponent(projectId)}`

/** For `document.cookie`. Deletes it if no account is connected. */
export function cookieOf(projectId: string, { activeNetworkId, connections }: Snapshot): string {
  const known = namespaces.flatMap((namespace) => {
    const connection = connections[namespace]
    if (connection === undefined || connection.status === 'disconnected') return []
    const [account] = connection.accounts ?? []
    const { connector, networkId } = connection
    if (account === undefined || connector === undefined || networkId === undefined) return []
    return [[namespace, account.address, account.type, networkId, connector.id, connector.name, connector.type]]
  })
  const value = encodeURIComponent(JSON.stringify([activeNetworkId, ...known]))
  const age = known.length === 0 ? 0 : maxAgeSeconds
  const secure = globalThis.isSecureContext && globalThis.location?.protocol === 'https:' ? '; Secure' : ''
  return `${nameOf(projectId)}=${value}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`
}

/**
 * The last visit's accounts, from the `Cookie` header of a request.
 * They are `connecting` until the page confirms them. Empty for a new visitor or a manipulated cookie.
 *
 * @example
 * // app/layout.tsx of Next
 * const initialState = initialStateFrom('demo', (await cookies()).toString())
 */
export function initialStateFrom(projectId: string, cookieHeader: string | null | undefined): InitialState {
  const start = `${nameOf(projectId)}=`
  const pair = (cookieHeader ?? '').split(/;\s*/).find((each) => each.startsWith(start))
  if (pair === undefined) return {}
  try {
    const value: unknown = JSON.parse(decodeURIComponent(pair.slice(start.length)))
    if (!Array.isArray(value)) return {}
    const [activeNetworkId, ...rows] = value
    const connections: Connections = Object.fromEntries(rows.flatMap(readRow))
    return { activeNetworkId: isCaipNetworkId(activeNetworkId) ? activeNetworkId : null, connections }
  } catch {
    return {}
  }
}

function readRow(row: unknown): [Namespace, Connection][] {
  if (!Array.isArray(row) || !row.every((each) => typeof each === 'string' && each.length <= 256)) return []
  const [namespaceName, address, typeName, networkId, id, name, connectorName] = row
  const namespace = namespaces.find((each) => each === namespaceName)
  const type = types.find((each) => each === typeName)
  const connectorType = connectorTypes.find((each) => each === connectorName)
  if (namespace === undefined || type === undefined || connectorType === undefined) return []
  if (
    !isCaipNetworkId(networkId) ||
    !networkId.startsWith(`${namespace}:`) ||
    !namespaceFacts[namespace].address.test(address)
  )
    return []
  const account: Account = { namespace, address, type }
  return [
    [namespace, { status: 'connecting', connector: { id, name, type: connectorType }, accounts: [account], networkId }],
  ]
}

const connectorTypes = [
  'EXTERNAL',
  'WALLET_CONNECT',
  'INJECTED',
  'ANNOUNCED',
  'AUTH',
  'MULTI_CHAIN',
  'ID_AUTH',
] as const
