import type { Account, CaipNetworkId, Namespace, Network } from '@postern/protocol'
import type { ChainClient } from './chain-client'

/**
 * What the host must know of a chain namespace. One per namespace, chosen by {@link Network.chainNamespace} and fetched when it is first used
 * (`chains/adapters.ts`): nothing of it is part of the first paint.
 */
export type ChainAdapter = {
  readonly namespace: Namespace
  /** Addresses as the namespace writes them (EIP-55 on EVM). Rejects with INVALID_PARAMS on one that is no address. */
  normaliseAddresses(addresses: readonly string[]): Promise<readonly string[]>
  /** Balance of the native currency in its smallest unit. */
  nativeBalance(client: ChainClient, address: string, signal?: AbortSignal): Promise<bigint>
  /** Whether the chain's endpoint, rather than a wallet, answers `method`. */
  isChainRead(method: string): boolean
  /** Asks the chain. `method` is one that `isChainRead`. */
  read(client: ChainClient, method: string, params: unknown, signal?: AbortSignal): Promise<unknown>
  /** Answers that need no endpoint, `undefined` for every other method. Results are in the namespace's own JSON form. */
  localAnswer(method: string, state: { networkId: CaipNetworkId; accounts: readonly Account[] }): unknown
}

/** Page of the network's explorer, undefined when it has none. */
export function explorerUrl(network: Network, kind: 'address' | 'tx', id: string): string | undefined {
  const base = network.blockExplorers[0]?.url
  if (base === undefined) return undefined
  const path = {
    eip155: { address: 'address', tx: 'tx' },
    solana: { address: 'account', tx: 'tx' },
    bip122: { address: 'address', tx: 'tx' },
  }
  // Solana's explorers tell clusters apart by a query, which stays where it is.
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path[network.chainNamespace][kind]}/${encodeURIComponent(id)}`
  return url.href
}
