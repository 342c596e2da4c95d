/** For folders of `features/`, loaded on first use while their flag is on (spec §1). */

import type { Clock } from '@postern/base/clock'
import type { ChainClient } from '@postern/chains/chain-client'
import type {
  BlockchainAnswer,
  CaipNetworkId,
  ErrorCode,
  Namespace,
  OnRampUrlQuery,
  RegisterName,
  SupportedChains,
} from '@postern/protocol'
import type { HostStorage } from '../services/storage'
import type { SentOutcome } from './approval'
import type { OpenedWindow } from './popup'

type OnChain<K extends string> = { readonly [Key in K]: string } & { readonly chainId?: CaipNetworkId | undefined }

/** Rejects with a Failure. */
export type BlockchainApi = {
  supportedChains(signal?: AbortSignal): Promise<SupportedChains>
  identity(query: OnChain<'address'>, signal?: AbortSignal): Promise<BlockchainAnswer<'identity'>>
  balance(
    query: { readonly address: string; readonly chainId?: CaipNetworkId; readonly forceUpdate?: boolean },
    signal?: AbortSignal,
  ): Promise<BlockchainAnswer<'balance'>>
  history(
    query: { readonly address: string; readonly chainId?: CaipNetworkId; readonly cursor?: string },
    signal?: AbortSignal,
  ): Promise<BlockchainAnswer<'history'>>
  nfts(
    query: { readonly address: string; readonly chainId?: CaipNetworkId; readonly cursor?: string },
    signal?: AbortSignal,
  ): Promise<BlockchainAnswer<'nfts'>>
  prices(addresses: readonly string[], signal?: AbortSignal): Promise<BlockchainAnswer<'prices'>>
  swapTokens(chainId: CaipNetworkId, signal?: AbortSignal): Promise<BlockchainAnswer<'swapTokens'>>
  /** `from` and `to` are CAIP-10; `amount` in smallest units. */
  swapQuotes(
    query: { readonly amount: string; readonly userAddress: string; readonly from: string; readonly to: string },
    signal?: AbortSignal,
  ): Promise<BlockchainAnswer<'swapQuotes'>>
  swapAllowance(
    query: { readonly tokenAddress: string; readonly userAddress: string },
    signal?: AbortSignal,
  ): Promise<BlockchainAnswer<'swapAllowance'>>
  gasPrices(chainId: CaipNetworkId, signal?: AbortSignal): Promise<BlockchainAnswer<'gasPrices'>>
  /** `toAmount`: as displayed. Rejects with HTTP_STATUS 409 if the price moved beyond the slippage. */
  buildSwap(
    query: {
      readonly amount: string
      readonly from: string
      readonly to: string
      readonly userAddress: string
      readonly toAmount: string
    },
    signal?: AbortSignal,
  ): Promise<BlockchainAnswer<'buildSwap'>>
  buildApprove(
    query: { readonly from: string; readonly to: string; readonly userAddress: string; readonly amount: string },
    signal?: AbortSignal,
  ): Promise<BlockchainAnswer<'buildApprove'>>
  /** Null if not registered. */
  name(query: OnChain<'name'>, signal?: AbortSignal): Promise<BlockchainAnswer<'nameProfile'> | null>
  namesOf(address: string, signal?: AbortSignal): Promise<BlockchainAnswer<'nameProfiles'>>
  nameSuggestions(name: string, signal?: AbortSignal): Promise<BlockchainAnswer<'nameSuggestions'>>
  registerName(body: RegisterName): Promise<BlockchainAnswer<'registerName'>>
  releaseName(body: RegisterName): Promise<BlockchainAnswer<'releaseName'>>
  onRampOptions(signal?: AbortSignal): Promise<BlockchainAnswer<'onRampOptions'>>
  onRampQuote(
    query: {
      readonly purchaseCurrency: string
      readonly paymentCurrency: string
      readonly amount: string
      readonly network: string
    },
    signal?: AbortSignal,
  ): Promise<BlockchainAnswer<'onRampQuote'>>
  onRampUrl(query: OnRampUrlQuery): Promise<BlockchainAnswer<'onRampUrl'>>
  onRampPurchases(partnerUserId: string, signal?: AbortSignal): Promise<BlockchainAnswer<'onRampPurchases'>>
  smartSessions(account: string, signal?: AbortSignal): Promise<BlockchainAnswer<'smartSessions'>>
  revokeSession(address: string, body: { readonly pci: string; readonly signature: string }): Promise<void>
}

export type TransactionPurpose = {
  readonly kind: 'send' | 'swap' | 'approve' | 'pay'
  /** A decimal number. */
  readonly amount: string
  readonly symbol: string
  readonly to: string
  readonly receives?: { readonly amount: string; readonly symbol: string }
}

/** A transaction from its request to its end (spec §4). */
export type TrackedTransaction = {
  readonly id: string
  readonly networkId: CaipNetworkId
  readonly from: string
  readonly purpose: TransactionPurpose
  /** Epoch ms. */
  readonly at: number
  /** Of a batch (`wallet_getCallsStatus`). */
  readonly callsId?: string
  readonly status:
    | { readonly kind: 'asking' }
    | { readonly kind: 'declined' }
    /** Nothing was sent. */
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
    /** `hash` is null while unknown: for a batch, until execution. */
    | { readonly kind: 'sent'; readonly hash: string | null }
    /** If replaced, `hash` is the replacement's. */
    | { readonly kind: 'ended'; readonly hash: string | null; readonly outcome: SentOutcome }
}

export type MoneyHost = {
  readonly origin: string
  readonly api: BlockchainApi
  client(networkId: CaipNetworkId): ChainClient
  /** Rejects with a Failure: USER_REJECTED, UNAUTHORIZED (not connected) or CHAIN_DISCONNECTED (another network). */
  request(namespace: Namespace, method: string, params: unknown, signal?: AbortSignal): Promise<unknown>
  /**
   * For a method that returns a transaction. Returns an id of the snapshot's `transactions`, and continues after the
   * view closes. Balances reload when it is sent and when it ends.
   */
  transact(transaction: {
    readonly networkId: CaipNetworkId
    readonly method: string
    readonly params: unknown
    readonly purpose: TransactionPurpose
    /** Default: the wallet's connected account. */
    readonly from?: string
  }): string
  /** Call inside the click. Null if the browser blocks it. */
  openWindow(): OpenedWindow | null
  /** Persistent, not secret. The page can write its own (`place`): never trust it for where money goes. */
  readonly kept: Pick<HostStorage, 'get' | 'set' | 'place'>
  readonly clock: Clock
  readonly randomId: () => string
}
