import type { CaipNetworkId, ProjectPage, WalletFramePage } from '@postern/protocol'
import { dollarTokens } from '@postern/protocol/networks/dollar-tokens'
import type { GatewayNetwork } from '../../platform/upstreams/gateway-network'
import type { BlockchainConfig } from './config'
import { aggregatedNetworks, swapNetworks } from './convert/config'

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

/** Without the tokens that the wallet knows itself. */
export function describeTokens(
  { tokens }: Pick<BlockchainConfig, 'tokens'>,
  networks: readonly Pick<GatewayNetwork, 'id'>[],
): NonNullable<WalletFramePage['tokens']> {
  const isServed = new Set(networks.map(({ id }) => id))
  const isOfWallet = (id: CaipNetworkId, address: string) =>
    (dollarTokens[id] ?? []).some((one) => one.address.toLowerCase() === address.toLowerCase())
  return tokens.flatMap(({ chainId, address, symbol, decimals }) =>
    isServed.has(chainId) && !isOfWallet(chainId, address) ? [{ networkId: chainId, address, symbol, decimals }] : [],
  )
}

/** Money features of the modal page. A hosted service has all; names need a suffix. */
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
