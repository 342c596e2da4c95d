import { systemClock } from '@postern/base/clock'
import { type ChainClient, createChainClients } from '@postern/chains/chain-client'
import { namespaceFacts, namespaceOf } from '@postern/protocol'
import type { ChainContext } from '../contract'

/** The wallet's own origin, never a dapp's endpoint. */
export function gatewayClient({
  networkId,
  baseUrl,
  page,
  fetch,
}: Pick<ChainContext, 'networkId' | 'baseUrl' | 'page' | 'fetch'>): ChainClient {
  const project = encodeURIComponent(page.projectId)
  const endpoint =
    namespaceFacts[namespaceOf(networkId)].api === 'esplora'
      ? `${baseUrl}/v1/esplora/${networkId}?projectId=${project}`
      : `${baseUrl}/v1/?chainId=${encodeURIComponent(networkId)}&projectId=${project}`
  return createChainClients({ networks: { endpoints: () => [endpoint] }, fetch, clock: systemClock() })(networkId)
}
