import type { CaipNetworkId } from '@postern/protocol'
import type { HostSnapshot } from '../../snapshot/contract'
import { allHeld } from '../../view-kit/held'

/** On any chain: only EVM accounts sign for names. */
export function evmAddress({ connections }: Pick<HostSnapshot, 'connections'>): string | null {
  return evmAccount({ connections })?.account.address ?? null
}

export function evmNetworkId({ connections }: Pick<HostSnapshot, 'connections'>): CaipNetworkId | null {
  return evmAccount({ connections })?.networkId ?? null
}

function evmAccount({ connections }: Pick<HostSnapshot, 'connections'>) {
  return allHeld({ connections }).find(({ namespace }) => namespace === 'eip155')
}
