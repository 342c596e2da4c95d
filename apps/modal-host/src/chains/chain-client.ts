import type { CaipNetworkId } from '@postern/protocol'
import type { JsonRpcClient } from '../services/json-rpc'

/**
 * One network's endpoints as adapters ask them: JSON-RPC on EVM and Solana, Esplora's REST on Bitcoin. Both try one endpoint after the other
 * (spec §7) and end after 10 s (spec §9).
 */
export type ChainClient = {
  readonly networkId: CaipNetworkId
  readonly rpc: JsonRpcClient
  readonly esplora: EsploraClient
}

/** Esplora's HTTP API. Source: https://github.com/Blockstream/esplora/blob/master/API.md. Answers are parsed by who asks. */
export type EsploraClient = {
  /** `path` begins with a slash, for instance `/address/bc1q…/utxo`. */
  get(path: string, signal?: AbortSignal): Promise<unknown>
  /** Text body, text answer: `POST /tx` takes the raw transaction in hexadecimal and answers its id. */
  post(path: string, body: string, signal?: AbortSignal): Promise<string>
}
