import { chainIdOf } from '@postern/chains/eip155/adapter'
import type { ConfiguredNetwork } from '@postern/chains/networks'
import type { Network } from '@postern/protocol'

/** `wallet_switchEthereumChain` (EIP-3326). */
export function switchChainParameters({ caipNetworkId }: Network): { readonly chainId: string } {
  return { chainId: `0x${chainIdOf(caipNetworkId).toString(16)}` }
}

/**
 * Parameters of `wallet_addEthereumChain` (EIP-3085). The list of public endpoints is a separate chunk.
 *
 * 1. A built-in network: its public endpoints only. The dapp's may hold its key, which the wallet would store and use
 *    for every site; the gateway's reject the wallet's origin.
 * 2. Another network: the endpoints named for wallets, else `rpcUrls`.
 */
export async function addChainParameters(network: ConfiguredNetwork): Promise<Record<string, unknown>> {
  const { builtInUpstreams } = await import('@postern/protocol/networks/upstreams.gen')
  const { name, nativeCurrency, caipNetworkId, blockExplorers } = network
  const rpcUrls = [...(builtInUpstreams[caipNetworkId] ?? network.publicRpcUrls ?? network.rpcUrls)]
  return {
    ...switchChainParameters(network),
    chainName: name,
    nativeCurrency,
    rpcUrls,
    ...(blockExplorers.length > 0 && { blockExplorerUrls: blockExplorers.map(({ url }) => url) }),
  }
}
