import { chainIdOf } from '@postern/chains/eip155'
import type { Network } from '@postern/protocol'

/** Parameters of `wallet_switchEthereumChain`. Source: EIP-3326. */
export function switchChainParameters({ caipNetworkId }: Network): { readonly chainId: string } {
  return { chainId: `0x${chainIdOf(caipNetworkId).toString(16)}` }
}

/**
 * Parameters of `wallet_addEthereumChain`. Source: EIP-3085. Public endpoints come first: the gateway rejects the
 * wallet's origin. Their list is a chunk of its own.
 */
export async function addChainParameters(network: Network): Promise<Record<string, unknown>> {
  const { builtInUpstreams } = await import('@postern/protocol/upstreams.gen')
  const { name, nativeCurrency, caipNetworkId, blockExplorers } = network
  const rpcUrls = [...new Set([...(builtInUpstreams[caipNetworkId] ?? []), ...network.rpcUrls])]
  return {
    ...switchChainParameters(network),
    chainName: name,
    nativeCurrency,
    rpcUrls,
    ...(blockExplorers.length > 0 && { blockExplorerUrls: blockExplorers.map(({ url }) => url) }),
  }
}
