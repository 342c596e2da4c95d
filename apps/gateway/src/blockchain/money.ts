import type { ProjectPage, WalletFramePage } from '@postern/protocol'
import type { GatewayNetwork } from '../config'
import type { BlockchainConfig } from './config'
import { aggregatedNetworks, swapNetworks } from './convert/config'

/** Describes the swap routers for the wallet's pages. */
export function describeRouters(
  { swaps, hosted }: Pick<BlockchainConfig, 'swaps' | 'hosted'>,
  networks: readonly Pick<GatewayNetwork, 'id'>[],
): NonNullable<WalletFramePage['swapRouters']> {
  if (hosted !== null) return []
  return networks.flatMap(({ id }) => {
    const router = swaps.routers.get(id)
    return router === undefined ? [] : [{ networkId: id, address: router.router }]
  })
}

/** Money features for the modal page. A hosted service has all; names only if their suffix is configured. */
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
