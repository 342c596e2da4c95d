/**
 * What the feature modules (account, send, receive, swap, buy, pay, names, activity) stand on. Each is a folder beside this file with its views and
 * its rules, loaded when it is first wanted, and is reached only while its flag is on (spec §1): off leaves no row, no request and no code fetched.
 *
 * A feature never knows what kind of wallet is connected: it reads through `api` and `client`, asks the owner through `transact` or `request`, and
 * draws. Page wallets, WalletConnect and the embedded wallet answer alike.
 */

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
import type { Clock } from '@postern/protocol/clock'
import type { HostStorage } from '../services/storage'
import type { OpenedWindow } from './open-window'
import type { SentOutcome } from './sent-outcome'

/** The gateway's Blockchain API. Every answer is parsed; rejects with a Failure of the catalogue. */
export type BlockchainApi = {
  /** The networks that the gateway reaches. */
  supportedChains(signal?: AbortSignal): Promise<SupportedChains>
  identity(address: string, signal?: AbortSignal): Promise<BlockchainAnswer<'identity'>>
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
  /** `from` and `to` are CAIP-10, `amount` is in smallest units. */
  swapQuotes(
    query: { readonly amount: string; readonly userAddress: string; readonly from: string; readonly to: string },
    signal?: AbortSignal,
  ): Promise<BlockchainAnswer<'swapQuotes'>>
  swapAllowance(
    query: { readonly tokenAddress: string; readonly userAddress: string },
    signal?: AbortSignal,
  ): Promise<BlockchainAnswer<'swapAllowance'>>
  gasPrices(chainId: CaipNetworkId, signal?: AbortSignal): Promise<BlockchainAnswer<'gasPrices'>>
  /** `toAmount` is what the visitor was shown: the tolerance counts from it, and more than that is HTTP_STATUS 409. */
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
  /** Null where nobody has the name. */
  name(name: string, signal?: AbortSignal): Promise<BlockchainAnswer<'nameProfile'> | null>
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
  /** What became of what was bought under that id. */
  onRampPurchases(partnerUserId: string, signal?: AbortSignal): Promise<BlockchainAnswer<'onRampPurchases'>>
  smartSessions(account: string, signal?: AbortSignal): Promise<BlockchainAnswer<'smartSessions'>>
  revokeSession(address: string, body: { readonly pci: string; readonly signature: string }): Promise<void>
}

/** What a transaction of ours is for: what Activity shows while the chain does not know it yet. */
export type TransactionPurpose = {
  readonly kind: 'send' | 'swap' | 'approve' | 'pay'
  /** Of what leaves: a decimal in the token's unit, and its symbol. */
  readonly amount: string
  readonly symbol: string
  /** To whom: an address. */
  readonly to: string
}

/** A transaction that a feature asked for, from the question to its end (spec §4: confirmed, reverted, replaced). */
export type TrackedTransaction = {
  readonly id: string
  readonly networkId: CaipNetworkId
  readonly from: string
  readonly purpose: TransactionPurpose
  /** Epoch milliseconds. */
  readonly at: number
  readonly status: /** The wallet has not answered. */
    | { readonly kind: 'asking' }
    | { readonly kind: 'declined' }
    /** Nothing was sent. */
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
    /** `hash` is null while nobody knows it: of a batch (`wallet_sendCalls`) until it is carried out. */
    | { readonly kind: 'sent'; readonly hash: string | null }
    /** Of one that was replaced, `hash` is what came instead. */
    | { readonly kind: 'ended'; readonly hash: string | null; readonly outcome: SentOutcome }
}

export type MoneyHost = {
  /** Of the dapp, as the browser says: who asks. */
  readonly origin: string
  readonly api: BlockchainApi
  /** Reads of the chain. */
  client(networkId: CaipNetworkId): ChainClient
  /**
   * Asks the connected wallet for what it alone can answer or sign; its owner is asked where that is due. Rejects with a Failure: USER_REJECTED,
   * UNAUTHORIZED with nobody connected, CHAIN_DISCONNECTED when the wallet is on another network.
   */
  request(namespace: Namespace, method: string, params: unknown, signal?: AbortSignal): Promise<unknown>
  /**
   * The same for a request whose answer is a transaction: returns at once with its id in the snapshot's `transactions`, which tells how it goes. It goes
   * on with the view closed; balances are read anew once it is sent and once it is over.
   */
  transact(transaction: {
    readonly networkId: CaipNetworkId
    readonly method: string
    readonly params: unknown
    readonly purpose: TransactionPurpose
  }): string
  /** Opens a window, blank at first: inside the click. Null where the browser blocks it. */
  openWindow(): OpenedWindow | null
  /** Values that survive a reload; none holds a secret. What the page keeps (`place`) it can also write: nothing that decides where money goes is believed of it. */
  readonly kept: Pick<HostStorage, 'get' | 'set' | 'place'>
  readonly clock: Clock
  readonly randomId: () => string
}
