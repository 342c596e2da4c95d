import type { Clock } from '@postern/base/clock'
import { onceLoaded } from '@postern/base/once-loaded'
import type { CaipNetworkId } from '@postern/protocol'
import type { EsploraClient } from './bip122/esplora-client'
import type { ConfiguredNetworks } from './networks'
import type { JsonRpcClient } from './nodes/json-rpc'

/** JSON-RPC on EVM and Solana, Esplora's REST on Bitcoin. */
export type ChainClient = {
  readonly networkId: CaipNetworkId
  readonly rpc: JsonRpcClient
  readonly esplora: EsploraClient
}

export type { EsploraClient }

export type ChainClientOptions = {
  readonly networks: Pick<ConfiguredNetworks, 'endpoints'>
  readonly fetch: typeof fetch
  readonly clock: Clock
}

/** Code loads with the first request. */
export function createChainClients({ networks, fetch, clock }: ChainClientOptions): (id: CaipNetworkId) => ChainClient {
  const clients = new Map<CaipNetworkId, ChainClient>()

  function create(networkId: CaipNetworkId): ChainClient {
    const options = { endpoints: networks.endpoints(networkId), fetch, clock }
    const { load: rpc } = onceLoaded(async () => (await import('./nodes/json-rpc')).createJsonRpcClient(options))
    const { load: esplora } = onceLoaded(async () =>
      (await import('./bip122/esplora-client')).createEsploraClient(options),
    )
    return {
      networkId,
      rpc: { request: async (request, signal) => (await rpc()).request(request, signal) },
      esplora: {
        get: async (path, signal) => (await esplora()).get(path, signal),
        post: async (path, body, signal) => (await esplora()).post(path, body, signal),
      },
    }
  }

  return (id) => {
    const client = clients.get(id) ?? create(id)
    clients.set(id, client)
    return client
  }
}
