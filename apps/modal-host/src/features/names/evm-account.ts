import type { CaipNetworkId } from '@postern/protocol'
import type { HostSnapshot } from '../../snapshot/contract'
import { connectedAccounts } from '../../view-kit/connected-account'

/** The connected EVM address, on any chain: only EVM accounts sign for names. */
export function evmAddress({ connections }: Pick<HostSnapshot, 'connections'>): string | null {
  return evmAccount({ connections })?.account.address ?? null
}

export function evmNetworkId({ connections }: Pick<HostSnapshot, 'connections'>): CaipNetworkId | null {
  return evmAccount({ connections })?.networkId ?? null
}

function evmAccount({ connections }: Pick<HostSnapshot, 'connections'>) {
  return connectedAccounts({ connections }).find(({ namespace }) => namespace === 'eip155')
}
