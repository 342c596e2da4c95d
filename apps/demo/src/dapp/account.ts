import type { CaipNetworkId, Network, Snapshot } from '@postern/client'
import { formatUnits, type Hex, isAddress } from 'viem'

export type AccountView = {
  readonly status: 'disconnected' | 'connecting' | 'reconnecting' | 'connected'
  /** Also set while a returning visitor connects. */
  readonly address: Hex | null
  readonly wallet: string | null
  readonly networkId: CaipNetworkId | null
  readonly network: Network | null
}

export function accountView(snapshot: Snapshot): AccountView {
  const connection = snapshot.connections.eip155 ?? { status: 'disconnected' as const }
  const find = (id: CaipNetworkId | null) => snapshot.networks.find(({ caipNetworkId }) => caipNetworkId === id) ?? null
  if (connection.status === 'disconnected') {
    const networkId = snapshot.activeNetworkId
    return { status: 'disconnected', address: null, wallet: null, networkId, network: find(networkId) }
  }
  const address = connection.accounts?.[0]?.address
  const networkId = connection.networkId ?? null
  return {
    status: connection.status,
    address: address !== undefined && isAddress(address) ? address : null,
    wallet: connection.connector?.name ?? null,
    networkId,
    network: find(networkId),
  }
}

export const statusWords: Readonly<Record<AccountView['status'], string>> = {
  disconnected: 'Not connected',
  connecting: 'Connecting',
  reconnecting: 'Reconnecting',
  connected: 'Connected',
}

/** The first 4 and last 6 characters after `0x` (spec §9). */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-6)}`
}

/** Rounded down to 3 decimals (spec §9), never above the balance. */
export function shortAmount(value: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatUnits(value, decimals).split('.')
  const shown = fraction.slice(0, 3).replace(/0+$/, '')
  return `${Number(whole).toLocaleString('en')}${shown === '' ? '' : `.${shown}`}`
}
