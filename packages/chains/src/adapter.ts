import type { Account, CaipNetworkId, Namespace, Network } from '@postern/protocol'
import { namespaceFacts } from '@postern/protocol/namespaces/facts'
import type { ChainClient } from './chain-client'

/**
 * A chain namespace, chosen by {@link Network.chainNamespace}; loaded on first use (`adapters.ts`), after the
 * first paint.
 */
export type ChainAdapter = {
  readonly namespace: Namespace
  /** Own form of the namespace (EIP-55 on EVM). INVALID_PARAMS for an invalid address. */
  normaliseAddresses(addresses: readonly string[]): Promise<readonly string[]>
  nativeBalance(client: ChainClient, address: string, signal?: AbortSignal): Promise<bigint>
  /** Sent to the chain's endpoint, not the wallet. */
  isChainRead(method: string): boolean
  read(client: ChainClient, method: string, params: unknown, signal?: AbortSignal): Promise<unknown>
  /** The namespace's JSON for results without an endpoint; otherwise `undefined`. */
  localAnswer(method: string, state: { networkId: CaipNetworkId; accounts: readonly Account[] }): unknown
}

/** Undefined without an explorer. */
export function explorerUrl(network: Network, kind: 'address' | 'tx', id: string): string | undefined {
  const base = network.blockExplorers[0]?.url
  if (base === undefined) return undefined
  const path = namespaceFacts[network.chainNamespace].explorer[kind]
  // Solana explorers select the cluster by query.
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}/${encodeURIComponent(id)}`
  return url.href
}
