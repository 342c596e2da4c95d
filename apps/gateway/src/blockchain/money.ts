import type { ProjectPage } from '@postern/protocol'
import type { GatewayNetwork } from '../config'
import type { BlockchainConfig } from './config'
import { aggregatedNetworks, swapNetworks } from './convert/config'

/**
 * What the modal page is told that this gateway can do: swaps on the networks that it reaches and has somebody to ask for, buying, names. A hosted service
 * does it all, names where their ending is known here.
 */
export function describeMoney(
  { swaps, onramp, nameSuffix, hosted }: Pick<BlockchainConfig, 'swaps' | 'onramp' | 'nameSuffix' | 'hosted'>,
  networks: readonly GatewayNetwork[],
): ProjectPage['money'] {
  const swappable = hosted === null ? swapNetworks(swaps) : new Set(aggregatedNetworks)
  return {
    swapChainIds: networks.flatMap(({ id }) => (swappable.has(id) ? [id] : [])),
    onramp: hosted !== null || onramp !== null,
    nameSuffix,
  }
}
