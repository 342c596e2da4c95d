import type { Account, CaipNetworkId, Namespace, Network } from '@postern/protocol'
import { namespaceFacts } from '@postern/protocol/namespaces/facts'
import type { ChainClient } from './chain-client'

/** Loads on first use (`adapters.ts`). */
export type ChainAdapter = {
  readonly namespace: Namespace
  /** @throws INVALID_PARAMS for an invalid address */
  normaliseAddresses(addresses: readonly string[]): Promise<readonly string[]>
  nativeBalance(client: ChainClient, address: string, signal?: AbortSignal): Promise<bigint>
  ping(client: ChainClient, signal: AbortSignal): Promise<unknown>
  /** Whether the endpoint, not the wallet, serves it. */
  isChainRead(method: string): boolean
  read(client: ChainClient, method: string, params: unknown, signal?: AbortSignal): Promise<unknown>
  /** `undefined` if the endpoint must answer. */
  localAnswer(method: string, state: { networkId: CaipNetworkId; accounts: readonly Account[] }): unknown
}

export function explorerUrl(network: Network, kind: 'address' | 'tx', id: string): string | undefined {
  const base = network.blockExplorers[0]?.url
  if (base === undefined) return undefined
  const path = namespaceFacts[network.chainNamespace].explorer[kind]
  // Keeps the query, with which Solana explorers select the cluster.
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}/${encodeURIComponent(id)}`
  return url.href
}
