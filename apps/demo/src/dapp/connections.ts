import type { Account, Namespace, Network, Postern, Snapshot } from '@postern/client'
import { type AccountView, shortAmount, statusWords } from './account'
import { namespaceParts, namespaces } from './namespaces'
import type { Action } from './outcome'

export type ConnectionView = {
  readonly namespace: Namespace
  readonly status: AccountView['status']
  readonly wallet: string | null
  readonly accounts: readonly Account[]
  readonly network: Network | null
}

export function connectionView(snapshot: Snapshot, namespace: Namespace): ConnectionView {
  const connection = snapshot.connections[namespace] ?? { status: 'disconnected' as const }
  if (connection.status === 'disconnected')
    return { namespace, status: 'disconnected', wallet: null, accounts: [], network: null }
  const { status, connector, accounts = [], networkId } = connection
  const network = snapshot.networks.find(({ caipNetworkId }) => caipNetworkId === networkId) ?? null
  return { namespace, status, wallet: connector?.name ?? null, accounts, network }
}

/** Does not say "Not connected" while a wallet of another namespace is connected. */
export function statusLine(snapshot: Snapshot): string {
  const [evm, ...others] = namespaces.map((namespace) => connectionView(snapshot, namespace))
  const status = evm?.status ?? 'disconnected'
  return status === 'disconnected' && others.some((other) => other.status === 'connected')
    ? 'No EVM wallet'
    : statusWords[status]
}

/** The address that holds funds; null while disconnected. */
export function mainAddress({ status, accounts }: ConnectionView): string | null {
  if (status !== 'connected') return null
  return accounts.find(({ type }) => type !== 'ordinals')?.address ?? null
}

export const connectNamespace =
  (postern: Postern, namespace: Namespace): Action =>
  async (report) => {
    await postern.connect({ namespace })
    report({ kind: 'idle' })
  }

export const disconnectNamespace =
  (postern: Postern, namespace: Namespace): Action =>
  async (report) => {
    await postern.disconnect(namespace)
    report({ kind: 'idle' })
  }

export async function namespaceBalance(
  postern: Postern,
  namespace: Namespace,
  address: string | null,
  network: Network | null,
): Promise<string | null> {
  if (address === null) return null
  try {
    const { decimals = 0, symbol = '' } = network?.nativeCurrency ?? {}
    return `${shortAmount(BigInt(`${await namespaceParts[namespace].balance(postern, address)}`), decimals)} ${symbol}`
  } catch {
    return 'Unavailable'
  }
}
